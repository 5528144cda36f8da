import { expect, test } from "vitest";
import { AnswerMemory } from "../../../src/api/answer-memory.ts";

const NOW = 1_790_000_000_000;

const anAnswer = (head: string, storedAtMs = NOW) => ({ answer: { head, meta: "", etag: "", storedAtMs }, generation: "[]" });
const forSeconds = (seconds: number, whileRefreshed = false) => ({ seconds, whileRefreshed });

test("an answer holds for its seconds from when it was made", () => {
  const memory = new AnswerMemory(100);
  const held = anAnswer("a", NOW - 400);
  memory.keep("key", held, forSeconds(1));
  expect(memory.get("key", NOW + 599)).toMatchObject(held);
  expect(memory.get("other", NOW)).toBeNull();
  for (const late of [600, 601, 2_000]) expect(memory.get("key", NOW + late)).toBeNull();
});

test("where that is allowed, when its time is up the first to ask makes the next one and the others get the old one meanwhile", () => {
  const memory = new AnswerMemory(100);
  const old = anAnswer("old");
  memory.keep("key", old, forSeconds(1, true));
  expect(memory.get("key", NOW + 1_000)).toBeNull();
  expect(memory.get("key", NOW + 1_001)).toMatchObject(old);
  expect(memory.get("key", NOW + 2_999)).toMatchObject(old);
  const next = anAnswer("next", NOW + 1_005);
  memory.keep("key", next, forSeconds(1, true));
  expect(memory.get("key", NOW + 1_010)).toMatchObject(next);
});

test("an answer that nobody managed to renew is not served for long", () => {
  const memory = new AnswerMemory(100);
  memory.keep("key", anAnswer("old"), forSeconds(1, true));
  memory.get("key", NOW + 1_000);
  expect(memory.get("key", NOW + 3_000)).toBeNull();
  expect(memory.get("key", NOW + 3_001)).toBeNull();
});

test("the least recently used make room, and a body too large for it all is not kept", () => {
  const memory = new AnswerMemory(10);
  for (const key of ["a", "b"]) memory.keep(key, anAnswer(key.repeat(5)), forSeconds(9));
  expect(memory.get("a", NOW)).not.toBeNull();
  memory.keep("c", anAnswer("ccccc"), forSeconds(9));
  expect(["a", "b", "c"].filter((key) => memory.get(key, NOW) !== null)).toEqual(["a", "c"]);
  memory.keep("a", anAnswer("shorter".slice(0, 2)), forSeconds(9));
  memory.keep("d", anAnswer("ddd"), forSeconds(9));
  expect(["a", "c", "d"].filter((key) => memory.get(key, NOW) !== null)).toEqual(["a", "c", "d"]);
  memory.keep("e", anAnswer("e".repeat(11)), forSeconds(9));
  expect(memory.get("e", NOW)).toBeNull();
});

test("a memory of no size keeps nothing", () => {
  const memory = new AnswerMemory(0);
  memory.keep("key", anAnswer("a"), forSeconds(9));
  expect(memory.get("key", NOW)).toBeNull();
});
