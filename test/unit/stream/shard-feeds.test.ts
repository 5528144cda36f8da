import { expect, test } from "vitest";
import { ShardFeeds, type FramePush } from "../../../durable-objects/event-stream/shard-feeds.ts";
import { startOfEpoch } from "../../../src/db/outbox.ts";

/** A stream with one shard for each count of listeners. Pushes return at once; rests end when they are told to. */
function openFeeds(listeners: readonly number[]) {
  let lastSeq = 0;
  const pushes: { shard: string; after: number; to: number }[] = [];
  const rests: { ms: number; end: () => void }[] = [];
  const storage = {
    findSequence: () => ({ lastSeq, publishedMs: 0, place: startOfEpoch(1) }),
    listAfter: (seq: number) => Array.from({ length: lastSeq - seq }, (_, at) => ({ seq: seq + 1 + at, text: "", facets: null })),
    listShards: () => listeners.map((_, name) => String(name)),
    addShard: () => undefined,
    dropShard: () => undefined,
  };
  const shardOf = (shard: string) => ({
    async push({ after, to }: FramePush) {
      pushes.push({ shard, after, to });
      return listeners[Number(shard)] ?? 0;
    },
  });
  const wait = (ms: number) => new Promise<void>((end) => rests.push({ ms, end }));
  const feeds = new ShardFeeds(storage, shardOf, { now: () => 0, wait });
  return {
    pushes,
    rests,
    async publish(frames: number): Promise<void> {
      lastSeq += frames;
      feeds.tellNews();
      await settle();
    },
  };
}

/** Everything that waits for nothing has happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test("the first frame after a rest goes at once; those that come while a shard rests go together when it ends", async () => {
  const { publish, pushes, rests } = openFeeds([60]);
  await publish(1);
  expect(pushes).toEqual([{ shard: "0", after: 0, to: 1 }]);
  expect(rests.map(({ ms }) => ms)).toEqual([120]);
  await publish(1);
  await publish(2);
  expect(pushes).toHaveLength(1);
  rests[0]?.end();
  await settle();
  expect(pushes.slice(1)).toEqual([{ shard: "0", after: 1, to: 4 }]);
  rests[1]?.end();
  await settle();
  await publish(1);
  expect(pushes.slice(2)).toEqual([{ shard: "0", after: 4, to: 5 }]);
});

test("a shard with many listeners rests longer than one with few, 200 ms at most, and delays no other", async () => {
  const { publish, pushes, rests } = openFeeds([1, 1_000]);
  await publish(1);
  expect(rests.map(({ ms }) => ms)).toEqual([2, 200]);
  rests[0]?.end();
  await settle();
  await publish(1);
  expect(pushes.map(({ shard, to }) => [shard, to])).toEqual([
    ["0", 1],
    ["1", 1],
    ["0", 2],
  ]);
});
