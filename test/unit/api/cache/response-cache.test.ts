import { expect, test } from "vitest";
import { ResponseCache } from "../../../../src/api/cache/response-cache.ts";

const NOW = 1_790_000_000_000;

const anAnswer = (head: string, storedAtMs = NOW) => ({
  response: { head, meta: "", etag: "", storedAtMs },
  tagVersions: "[]",
});
const forSeconds = (ttlSeconds: number, staleWhileRevalidate = false) => ({ ttlSeconds, staleWhileRevalidate });

test("a cached response expires when its lifetime is over, counted from its creation", () => {
  const memory = new ResponseCache(100);
  const stored = anAnswer("a", NOW - 400);
  memory.set("key", stored, forSeconds(1));
  expect(memory.find("key", NOW + 599)).toMatchObject(stored);
  expect(memory.find("other", NOW)).toBeNull();
  for (const late of [600, 601, 2_000]) expect(memory.find("key", NOW + late)).toBeNull();
});

test("with stale-while-revalidate, the first reader after expiry gets a miss and the others the stale response", () => {
  const memory = new ResponseCache(100);
  const old = anAnswer("old");
  memory.set("key", old, forSeconds(1, true));
  expect(memory.find("key", NOW + 1_000)).toBeNull();
  expect(memory.find("key", NOW + 1_001)).toMatchObject(old);
  expect(memory.find("key", NOW + 2_999)).toMatchObject(old);
  const next = anAnswer("next", NOW + 1_005);
  memory.set("key", next, forSeconds(1, true));
  expect(memory.find("key", NOW + 1_010)).toMatchObject(next);
});

test("a stale response that is never renewed expires after a short time", () => {
  const memory = new ResponseCache(100);
  memory.set("key", anAnswer("old"), forSeconds(1, true));
  memory.find("key", NOW + 1_000);
  expect(memory.find("key", NOW + 3_000)).toBeNull();
  expect(memory.find("key", NOW + 3_001)).toBeNull();
});

test("the cache evicts the least recently used responses and stores no response above its own size", () => {
  const memory = new ResponseCache(10);
  for (const key of ["a", "b"]) memory.set(key, anAnswer(key.repeat(5)), forSeconds(9));
  expect(memory.find("a", NOW)).not.toBeNull();
  memory.set("c", anAnswer("ccccc"), forSeconds(9));
  expect(["a", "b", "c"].filter((key) => memory.find(key, NOW) !== null)).toEqual(["a", "c"]);
  memory.set("a", anAnswer("shorter".slice(0, 2)), forSeconds(9));
  memory.set("d", anAnswer("ddd"), forSeconds(9));
  expect(["a", "c", "d"].filter((key) => memory.find(key, NOW) !== null)).toEqual(["a", "c", "d"]);
  memory.set("e", anAnswer("e".repeat(11)), forSeconds(9));
  expect(memory.find("e", NOW)).toBeNull();
});

test("a cache of size zero stores nothing", () => {
  const memory = new ResponseCache(0);
  memory.set("key", anAnswer("a"), forSeconds(9));
  expect(memory.find("key", NOW)).toBeNull();
});
