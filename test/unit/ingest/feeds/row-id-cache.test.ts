import { expect, test } from "vitest";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";

const traders = (...entries: [string, number][]) => ({ learned: { traders: new Map(entries), outcomes: new Map() } });

test("a full cache evicts the row id that was not used for the longest time", async () => {
  const cache = new RowIdCache(2);
  await cache.cacheAfterCommit(async () => traders(["a", 1], ["b", 2]));
  expect(cache.traderId("a")).toBe(1);
  await cache.cacheAfterCommit(async () => traders(["c", 3]));
  expect(["a", "b", "c"].map((address) => cache.traderId(address))).toEqual([1, undefined, 3]);
});

test("a failed transaction clears the cache", async () => {
  const cache = new RowIdCache(2);
  await cache.cacheAfterCommit(async () => traders(["a", 1]));
  await expect(cache.cacheAfterCommit(() => Promise.reject(new Error("connection lost")))).rejects.toThrow("lost");
  expect(cache.traderId("a")).toBeUndefined();
});
