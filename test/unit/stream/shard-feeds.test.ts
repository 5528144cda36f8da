import { expect, test } from "vitest";
import { ShardFeeds, type FramePush } from "../../../durable-objects/event-stream/shard-feeds.ts";
import { startOfEpoch } from "../../../src/db/outbox.ts";

/** A stream with so many shards of one listener each. A push is answered when the test says so. */
function openFeeds(shards: number) {
  let lastSeq = 0;
  const rests: number[] = [];
  const pushes: { shard: string; after: number; to: number; answer: (listeners?: number) => Promise<unknown> }[] = [];
  const storage = {
    findSequence: () => ({ lastSeq, publishedMs: 0, place: startOfEpoch(1) }),
    listAfter: (seq: number) => Array.from({ length: lastSeq - seq }, (_, at) => ({ seq: seq + 1 + at, text: "", facets: null })),
    listShards: () => Array.from({ length: shards }, (_, name) => String(name)),
    addShard: () => undefined,
    dropShard: () => undefined,
  };
  const shardOf = (shard: string) => ({
    push: ({ after, to }: FramePush) =>
      new Promise<number>((resolve) => {
        const answer = (listeners = 1) => {
          resolve(listeners);
          return settle();
        };
        pushes.push({ shard, after, to, answer });
      }),
  });
  const feeds = new ShardFeeds(storage, shardOf, { now: () => 0, wait: async (ms) => void rests.push(ms) });
  return {
    pushes,
    rests,
    told: () => pushes.map(({ shard, after, to }) => [shard, after, to]),
    async publish(frames: number): Promise<boolean> {
      lastSeq += frames;
      const isTold = feeds.tellNews();
      await settle();
      return isTold;
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
