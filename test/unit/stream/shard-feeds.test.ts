import { expect, test, vi } from "vitest";
import { ShardFeeds, type FramePush } from "../../../durable-objects/event-stream/shard-feeds.ts";
import { startOfEpoch } from "../../../src/db/outbox.ts";

/** A stream with so many shards of one listener each. A push is answered when the test says so. */
function openFeeds(shards: number) {
  let lastSeq = 0;
  let nowMs = 1_000_000;
  const rests: number[] = [];
  const dropped: string[] = [];
  const pushes: {
    shard: string;
    after: number;
    to: number;
    isBeat: boolean;
    answer: (listeners?: number) => Promise<unknown>;
    fail: () => Promise<unknown>;
  }[] = [];
  const storage = {
    findSequence: () => ({ lastSeq, publishedMs: 0, place: startOfEpoch(1) }),
    listAfter: (seq: number) => Array.from({ length: lastSeq - seq }, (_, at) => ({ seq: seq + 1 + at, text: "", facets: null })),
    listShards: () => Array.from({ length: shards }, (_, name) => String(name)),
    addShard: () => undefined,
    dropShard: (name: string) => void dropped.push(name),
  };
  const shardOf = (shard: string) => ({
    push: ({ after, to, isBeat }: FramePush) =>
      new Promise<number>((resolve, reject) => {
        const answer = (listeners = 1) => {
          resolve(listeners);
          return settle();
        };
        const fail = () => {
          reject(new Error("the shard was reset"));
          return settle();
        };
        pushes.push({ shard, after, to, isBeat, answer, fail });
      }),
  });
  const feeds = new ShardFeeds(storage, shardOf, { now: () => nowMs, wait: async (ms) => void rests.push(ms) });
  return {
    feeds,
    pushes,
    rests,
    dropped,
    told: () => pushes.map(({ shard, after, to }) => [shard, after, to]),
    async publish(frames: number): Promise<boolean> {
      lastSeq += frames;
      const isTold = feeds.tellNews();
      await settle();
      return isTold;
    },
    /** So much later the stream looks who has to be told something. */
    async look(afterMs: number): Promise<void> {
      nowMs += afterMs;
      feeds.tellAll();
      await settle();
    },
  };
}

/** Everything that waits for nothing has happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("the first frame goes at once; those that come before its push is answered go together when it is", async () => {
  const { publish, pushes, told } = openFeeds(1);
  await publish(1);
  await publish(1);
  await publish(2);
  expect(told()).toEqual([["0", 0, 1]]);
  await pushes[0]?.answer();
  expect(told().slice(1)).toEqual([["0", 1, 4]]);
  await pushes[1]?.answer();
  await publish(1);
  expect(told().slice(2)).toEqual([["0", 4, 5]]);
});

test("a shard that is slow to answer delays no other", async () => {
  const { publish, pushes, told } = openFeeds(2);
  await publish(1);
  await pushes[1]?.answer();
  await publish(1);
  expect(told()).toEqual([
    ["0", 0, 1],
    ["1", 0, 1],
    ["1", 1, 2],
  ]);
});

test("says whether there was anybody to tell", async () => {
  const { publish, pushes } = openFeeds(1);
  expect(await publish(1)).toBe(true);
  await pushes[0]?.answer();
  expect(await publish(0)).toBe(false);
});

test("a shard rests longer the more listeners it has, 200 ms at most", async () => {
  const { publish, pushes, rests } = openFeeds(2);
  await publish(1);
  await pushes[0]?.answer(60);
  await pushes[1]?.answer(1_000);
  expect(rests).toEqual([120, 200]);
});

test("all listeners of a shard hear something every 20 seconds, and at once after the stream has slept", async () => {
  const { look, pushes } = openFeeds(1);
  const beats = () => pushes.map(({ isBeat }) => isBeat);
  await look(0);
  await pushes[0]?.answer();
  await look(19_999);
  expect(beats()).toEqual([true]);
  await look(1);
  expect(beats()).toEqual([true, true]);
});

test("a push that fails is told again with the next look, from where the shard was", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { look, publish, pushes, told } = openFeeds(1);
  await publish(2);
  await pushes[0]?.fail();
  expect(told()).toHaveLength(1);
  await look(500);
  expect(told().slice(1)).toEqual([["0", 0, 2]]);
  warn.mockRestore();
});

test("a shard that is too far behind is told of the newest, in a push that all its listeners hear: they see what they lack", async () => {
  const { publish, pushes, told } = openFeeds(1);
  await publish(1);
  await publish(2_000);
  await pushes[0]?.answer();
  expect(told().slice(1)).toEqual([["0", 1, 2_001]]);
  await publish(2_001);
  await pushes[1]?.answer();
  expect(told().slice(2)).toEqual([["0", 4_002, 4_002]]);
  expect(pushes.slice(1).map(({ isBeat }) => isBeat)).toEqual([false, true]);
});

test("a shard where nobody listens is told no more until somebody comes", async () => {
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

test("who comes while a shard says that nobody listens is told of what follows", async () => {
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
