import { expect, test } from "vitest";
import { decideAhead, MOST_AHEAD } from "../../../../src/domain/webhooks/claim-ahead.ts";

test.for([
  ["before the first claim none", 0, null, 0],
  ["a quick endpoint gets four", 0, 10, 4],
  ["then twice as many", 4, 250, 8],
  ["up to sixty", 32, 0, 60],
  ["and no more", 60, 0, 60],
  ["one that is neither quick nor slow keeps what it has", 16, 251, 16],
  ["a slow one loses it", 60, 1_000, 0],
  ["and so does one that failed, or whose claim was given back", 60, null, 0],
] as const)("ahead of their turn: %s", ([, ahead, usedUpMs, next]) => {
  expect(decideAhead(ahead, usedUpMs)).toBe(next);
  expect(next).toBeLessThanOrEqual(MOST_AHEAD);
});
