import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { storyKeyOf } from "../../../../src/ingest/skill/story-key.ts";

test("the key of a story is the first 52 bits of its hash, and 0 without a series or a time", async () => {
  const night = new Date("2026-10-08T02:00:00Z");
  const hash = createHash("sha256").update("mlb 2026-10-07").digest().readBigUInt64BE();
  expect(await storyKeyOf("mlb", night)).toBe(Number(hash >> 12n));
  expect(await storyKeyOf(null, night)).toBe(0);
  expect(await storyKeyOf("mlb", null)).toBe(0);
});
