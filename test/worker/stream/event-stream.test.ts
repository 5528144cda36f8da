/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { SUBSCRIPTION_HEADER } from "../../../src/stream/stream-messages.ts";
import {
  publishStreamEvents,
  runStreamAlarm,
  theShard,
  theStream,
  untilReadable,
  shardOfAccount,
} from "../../support/stream/open-stream.ts";
import { aKnownKey, countedEvents, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

/** Far longer than a test runs. */
const LATER_MS = 3_600_000;

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

const alarmInMs = () =>
  runInDurableObject(
    theStream(),
    async (_instance, state) => ((await state.storage.getAlarm()) ?? Infinity) - Date.now(),
  );

test("a shard refuses and does not count connections while the stream cannot determine its start", async () => {
  const filter = { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
  const shard = await shardOfAccount(1);
  for (let n = 0; n < 6; n++) {
    const subscription = { connection: `c${n}`, keyId: 5, accountId: 1, shard, cursor: null, filter };
    const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
    const { status, webSocket } = await theShard(shard).fetch("http://shard/", { headers });
    expect([status, webSocket]).toEqual([503, null]);
  }
});

describe("event stream", () => {
  let api: StreamApi;

  beforeAll(async () => {
    api = await openStreamApi();
  });

  test("the first listener does not wait for an alarm that was set without listeners", async () => {
    const { key } = await aKnownKey(api.database);
    await pauseReads();
    const stream = await api.openStream(key);
    expect(await alarmInMs()).toBeLessThanOrEqual(500);
    await stream.stop();
  });

  test("a wake call makes the stream read at once for its listeners, however far its alarm is", async () => {
    const { key } = await aKnownKey(api.database);
    const stream = await api.openStream(key);
    await pauseReads();
    await publishStreamEvents(api.database, countedEvents(1, 1));
    await untilReadable(api.database);
    await theStream().wake();
    await stream.until(({ frames }) => frames.length === 1);
    expect(await alarmInMs()).toBeGreaterThan(LATER_MS / 2);
    await stream.stop();
  });

  test("a read that does not end is abandoned after five seconds, and the stream reads again later", async () => {
    const { key } = await aKnownKey(api.database);
    const stream = await api.openStream(key);
    await publishStreamEvents(api.database, countedEvents(2, 1));
    // Readers of the outbox wait until this transaction ends.
    const session = await api.database.openPool().connect();
    await session.query("begin; lock table events in access exclusive mode");
    const { wait } = scheduler;
    const waits: number[] = [];
    const spy = vi.spyOn(scheduler, "wait").mockImplementation((ms, options) => {
      waits.push(ms);
      return wait.call(scheduler, ms === 5_000 ? 0 : ms, options);
    });
    await runStreamAlarm(api.database);
    spy.mockRestore();
    const alarmMs = await alarmInMs();
    expect(stream.frames).toEqual([]);
    await session.query("rollback");
    session.release();
    expect(waits).toContain(5_000);
    expect(alarmMs).toBeLessThanOrEqual(500);
    await stream.until(({ frames }) => frames.length === 1);
    await stream.stop();
  });
});

/** Leaves the stream without a running alarm and with its alarm far ahead. */
async function pauseReads(): Promise<void> {
  while (!(await postponeAlarm())) await scheduler.wait(10);
}

/**
 * @returns whether no alarm was running: a running one has set the next to 30 s from its begin, for a failure
 */
const postponeAlarm = (): Promise<boolean> =>
  runInDurableObject(theStream(), async (_instance, { storage }) => {
    const inMs = ((await storage.getAlarm()) ?? 0) - Date.now();
    if (inMs > 10_000 && inMs <= 30_000) return false;
    await storage.setAlarm(Date.now() + LATER_MS);
    return true;
  });
