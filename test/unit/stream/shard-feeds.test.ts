import { expect, test, vi } from "vitest";
import { ShardFeeds, type FramePush } from "../../../durable-objects/event-stream/shard-feeds.ts";
import { startOfEpoch } from "../../../src/events/outbox/outbox-reader.ts";

/** A stream with this many shards of one listener each. The test acknowledges each push. */
function openFeeds(shards: number) {
  let lastSeq = 0;
  let nowMs = 1_000_000;
  const pauses: number[] = [];
  const timeouts: { readonly ms: number; readonly call: () => void }[] = [];
  const dropped: string[] = [];
  const pushes: {
    shard: string;
    after: number;
    to: number;
    isHeartbeat: boolean;
    answer: (listeners?: number) => Promise<unknown>;
    fail: () => Promise<unknown>;
  }[] = [];
  const storage = {
    findSequence: () => ({ lastSeq, publishedMs: 0, outboxPosition: startOfEpoch(1) }),
    listAfter: (seq: number) =>
      Array.from({ length: lastSeq - seq }, (_, index) => ({ seq: seq + 1 + index, text: "", facets: null })),
    listShards: () => Array.from({ length: shards }, (_, name) => String(name)),
    addShard: () => undefined,
    dropShard: (name: string) => void dropped.push(name),
  };
  const shardOf = (shard: string) => ({
    push: ({ after, to, isHeartbeat }: FramePush) =>
      new Promise<number>((resolve, reject) => {
        const answer = (listeners = 1) => {
          resolve(listeners);
          return settle();
        };
        const fail = () => {
          reject(new Error("the shard was reset"));
          return settle();
        };
        pushes.push({ shard, after, to, isHeartbeat, answer, fail });
      }),
  });
  const feeds = new ShardFeeds(storage, shardOf, {
    ...{ now: () => nowMs, wait: async (ms: number) => void pauses.push(ms) },
    after: (ms, call) => {
      timeouts.push({ ms, call });
      return () => undefined;
    },
  });
  return {
    feeds,
    pushes,
    pauses,
    timeouts,
    dropped,
    pushed: () => pushes.map(({ shard, after, to }) => [shard, after, to]),
    async publish(frames: number): Promise<boolean> {
      lastSeq += frames;
      const wasPushed = feeds.pushPending();
      await settle();
      return wasPushed;
    },
    /** Advances the clock and lets the stream check which shards need a push. */
    async checkAfter(afterMs: number): Promise<void> {
      nowMs += afterMs;
      feeds.pushPendingAndHeartbeats();
      await settle();
    },
  };
}

/** Waits until all settled promises have run their callbacks. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a push without an answer ends after ten seconds of the stream's clock, and its frames are pushed with the next ones", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { publish, pushed, timeouts } = openFeeds(1);
  await publish(1);
  await publish(1);
  expect(pushed()).toEqual([["0", 0, 1]]);
  expect(timeouts.map(({ ms }) => ms)).toEqual([10_000]);
  timeouts[0]?.call();
  await publish(1);
  expect(warn).toHaveBeenCalledOnce();
  await publish(1);
  expect(pushed().slice(1)).toEqual([["0", 0, 4]]);
  warn.mockRestore();
});

test("the first frame is pushed at once, and later frames together when that push is acknowledged", async () => {
  const { publish, pushes, pushed } = openFeeds(1);
  await publish(1);
  await publish(1);
  await publish(2);
  expect(pushed()).toEqual([["0", 0, 1]]);
  await pushes[0]?.answer();
  expect(pushed().slice(1)).toEqual([["0", 1, 4]]);
  await pushes[1]?.answer();
  await publish(1);
  expect(pushed().slice(2)).toEqual([["0", 4, 5]]);
});

test("a shard that is slow to acknowledge does not delay other shards", async () => {
  const { publish, pushes, pushed } = openFeeds(2);
  await publish(1);
  await pushes[1]?.answer();
  await publish(1);
  expect(pushed()).toEqual([
    ["0", 0, 1],
    ["1", 0, 1],
    ["1", 1, 2],
  ]);
});

test("publishing reports whether any shard had a pending push", async () => {
  const { publish, pushes } = openFeeds(1);
  expect(await publish(1)).toBe(true);
  await pushes[0]?.answer();
  expect(await publish(0)).toBe(false);
});

test("the pause after a push grows with the number of listeners, up to 200 ms", async () => {
  const { publish, pushes, pauses } = openFeeds(2);
  await publish(1);
  await pushes[0]?.answer(60);
  await pushes[1]?.answer(1_000);
  expect(pauses).toEqual([120, 200]);
});

test("all listeners of a shard get a heartbeat every 20 seconds, and at once after the stream has slept", async () => {
  const { checkAfter, pushes } = openFeeds(1);
  const heartbeats = () => pushes.map(({ isHeartbeat }) => isHeartbeat);
  await checkAfter(0);
  await pushes[0]?.answer();
  await checkAfter(19_999);
  expect(heartbeats()).toEqual([true]);
  await checkAfter(1);
  expect(heartbeats()).toEqual([true, true]);
});

test("a failed push is repeated at the next check, from the shard's earlier position", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { checkAfter, publish, pushes, pushed } = openFeeds(1);
  await publish(2);
  await pushes[0]?.fail();
  expect(pushed()).toHaveLength(1);
  await checkAfter(500);
  expect(pushed().slice(1)).toEqual([["0", 0, 2]]);
  warn.mockRestore();
});

test("a shard that is too far behind skips to the newest frame with a heartbeat, so that its listeners notice the gap", async () => {
  const { publish, pushes, pushed } = openFeeds(1);
  await publish(1);
  await publish(2_000);
  await pushes[0]?.answer();
  expect(pushed().slice(1)).toEqual([["0", 1, 2_001]]);
  await publish(2_001);
  await pushes[1]?.answer();
  expect(pushed().slice(2)).toEqual([["0", 4_002, 4_002]]);
  expect(pushes.slice(1).map(({ isHeartbeat }) => isHeartbeat)).toEqual([false, true]);
});

test("a shard without listeners gets no push until a listener joins", async () => {
  const { dropped, feeds, publish, pushes } = openFeeds(1);
  await publish(1);
  await pushes[0]?.answer(0);
  expect([dropped, feeds.isAnyListening()]).toEqual([["0"], false]);
  expect(await publish(1)).toBe(false);
  expect(feeds.add("0")).toBe(true);
  await publish(1);
  expect(pushes.map(({ after, to }) => [after, to])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test("a listener that joins while its shard reports no listeners gets the following frames", async () => {
  const { dropped, feeds, publish, pushes } = openFeeds(1);
  await publish(1);
  expect(feeds.add("0")).toBe(false);
  await pushes[0]?.answer(0);
  expect(dropped).toEqual([]);
  await publish(1);
  expect(pushes.map(({ after, to }) => [after, to])).toEqual([
    [0, 1],
    [1, 2],
  ]);
});
