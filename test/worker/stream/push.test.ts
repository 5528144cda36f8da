/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, expect, test, vi } from "vitest";
import { SUBSCRIPTION_HEADER, unpackBatch, type StreamMessage, type Subscription } from "../../../src/messages/stream.ts";
import { announce, listOpen, readOn, theShard, theStream } from "../../support/stream/open-stream.ts";
import { aKnownKey, counted, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

let api: StreamApi;

beforeAll(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  api = await openStreamApi();
});

/** A Worker's end of a connection, as a shard knows it. */
async function join(shard: string, facts: Partial<Subscription> = {}) {
  const filter = { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
  const subscription: Subscription = { connection: "c", keyId: 1, accountId: 1, shard, cursor: null, filter, ...facts };
  const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
  const { webSocket: socket } = await theShard(shard).fetch("http://shard/", { headers });
  if (socket === null) throw new Error("not joined");
  const came: StreamMessage[] = [];
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => void came.push(unpackBatch(data as ArrayBuffer)));
  socket.accept();
  await vi.waitFor(() => expect(came).toHaveLength(1));
  return { socket, came, head: came[0]?.batch.to ?? 0 };
}

/** Tells a listener that there is nothing. @returns how many listeners there were, once the push is answered */
function beat(shard: string, at: number) {
  const push = { listeners: null as number | null, over: Promise.resolve() };
  push.over = (async () => {
    push.listeners = await theShard(shard).push({ after: at, to: at, frames: [], isBeat: true });
  })();
  return push;
}

test("a push is answered when a listener says that it came, and not before", async () => {
  const { socket, came, head } = await join("901");
  const push = beat("901", head);
  await vi.waitFor(() => expect(came.map(({ isAsked }) => isAsked)).toEqual([false, false, true]), { interval: 5 });
  expect(push.listeners).toBe(null);
  socket.send(JSON.stringify({ heard: true }));
  await push.over;
  expect(push.listeners).toBe(1);
  socket.close();
});

test("a push is answered without word from a listener that has gone or says nothing", async () => {
  const { socket, head } = await join("902");
  const silent = beat("902", head);
  await silent.over;
  expect(silent.listeners).toBe(1);
  const gone = beat("902", head);
  socket.close();
  await gone.over;
  await vi.waitFor(async () => {
    const next = beat("902", head);
    await next.over;
    expect(next.listeners).toBe(0);
  });
});

test("a connection that joins again takes the place of what it had, and no other's", async () => {
  const [first, other] = [await join("903"), await join("903", { connection: "other", keyId: 2 })];
  const codes: number[] = [];
  first.socket.addEventListener("close", ({ code }) => void codes.push(code));
  other.socket.addEventListener("close", ({ code }) => void codes.push(code));
  const again = await join("903");
  await vi.waitFor(() => expect(codes).toEqual([4000]));
  expect(await listOpen("903")).toHaveLength(2);
  for (const { socket } of [again, other]) socket.close();
});

test(
  "who wants nothing of a long window is answered before all of it has been looked at, and may ask on",
  { timeout: 60_000 },
  async () => {
    const { socket, head } = await join("904");
    socket.close();
    await announce(api.database, counted(1, 8_600));
    const lastSeq = () =>
      runInDurableObject(theStream(), (_instance, { storage }) =>
        Number(storage.sql.exec("select last_seq from stream").one()["last_seq"]),
      );
    while ((await lastSeq()) < head + 8_600) await readOn(api.database);
    const filter = { types: ["wallet_grade_changed"], conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
    const late = await join("904", { cursor: head, filter });
    expect(late.came[0]?.batch).toMatchObject({ from: head, to: head + 8_000, isPage: true, isHead: false });
    late.socket.send(JSON.stringify({ more: head + 8_000 }));
    await vi.waitFor(() => expect(late.came).toHaveLength(2));
    expect(late.came[1]?.batch).toMatchObject({ from: head + 8_000, to: head + 8_600, isPage: true, isHead: true });
    late.socket.close();
    const { key } = await aKnownKey(api.database);
    const heard = await api.listen(key, "?event=wallet_grade_changed,WhaleTradesInserted&condition_id=0x" + "a".repeat(64), head);
    const told = { type: "large_trades_inserted", payload: { count: 1, condition_id: `0x${"a".repeat(64)}` } };
    await announce(api.database, [told]);
    await readOn(api.database);
    await heard.until(({ seqs }) => seqs.length === 1);
    expect(heard.seqs).toEqual([head + 8_601]);
    await heard.stop();
  },
);
