/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { SUBSCRIPTION_HEADER } from "../../../src/messages/stream.ts";
import { announce, readOn, theShard, theStream } from "../../support/stream/open-stream.ts";
import { aKnownKey, counted, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

/** Far beyond the time that a test has. */
const LATER_MS = 3_600_000;

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

const setAlarm = (inMs: number) => runInDurableObject(theStream(), (_instance, state) => state.storage.setAlarm(Date.now() + inMs));
const alarmInMs = () =>
  runInDurableObject(theStream(), async (_instance, state) => ((await state.storage.getAlarm()) ?? Infinity) - Date.now());

test("a shard refuses who comes while the stream has not begun and the database cannot say where it would, and counts nobody", async () => {
  const filter = { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
  for (let n = 0; n < 6; n++) {
    const subscription = { connection: `c${n}`, keyId: 5, accountId: 1, shard: "5", cursor: null, filter };
    const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
    const { status, webSocket } = await theShard("5").fetch("http://shard/", { headers });
    expect([status, webSocket]).toEqual([503, null]);
  }
});

describe("the stream", () => {
  let api: StreamApi;

  beforeAll(async () => {
    api = await openStreamApi();
  });

  test("does not leave its first listener waiting for the alarm that was set while there was none", async () => {
    const { key } = await aKnownKey(api.database);
    await atRest();
    const heard = await api.listen(key);
    expect(await alarmInMs()).toBeLessThanOrEqual(500);
    await heard.stop();
  });

  test("reads when it is woken, however far its alarm is, for those who listen", async () => {
    const { key } = await aKnownKey(api.database);
    const heard = await api.listen(key);
    await atRest();
    await announce(api.database, counted(1, 1));
    await theStream().wake();
    await heard.until(({ frames }) => frames.length === 1);
    expect(await alarmInMs()).toBeGreaterThan(LATER_MS / 2);
    await heard.stop();
  });

  test("waits five seconds for a reading that does not end, and then looks after the rest", async () => {
    const { key } = await aKnownKey(api.database);
    const heard = await api.listen(key);
    await announce(api.database, counted(2, 1));
    // Who reads the outbox waits until it is over.
    const session = await api.database.openPool().connect();
    await session.query("begin; lock table events in access exclusive mode");
    const beganMs = Date.now();
    await readOn(api.database);
    const [tookMs, restMs] = [Date.now() - beganMs, await alarmInMs()];
    await session.query("rollback");
    session.release();
    expect(tookMs).toBeGreaterThan(4_000);
    expect(tookMs).toBeLessThan(8_000);
    expect(restMs).toBeLessThanOrEqual(500);
    await heard.until(({ frames }) => frames.length === 1);
    await heard.stop();
  });
});

/** Nothing is read but when it is asked for. */
async function atRest(): Promise<void> {
  do {
    await setAlarm(LATER_MS);
    // An alarm that was under way has set the next one by then.
    await scheduler.wait(600);
  } while ((await alarmInMs()) < LATER_MS / 2);
}
