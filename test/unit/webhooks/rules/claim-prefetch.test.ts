import { expect, test } from "vitest";
import { decidePrefetch, MAX_PREFETCH } from "../../../../src/webhooks/rules/claim-prefetch.ts";

test.for([
  ["starts with none before its first claim", 0, null, 0],
  ["that is fast gets four", 0, 10, 4],
  ["that stays fast gets twice as many", 4, 250, 8],
  ["that stays fast gets at most sixty", 32, 0, 60],
  ["that has sixty stays at sixty", 60, 0, 60],
  ["that is neither fast nor slow keeps its number", 16, 251, 16],
  ["that is slow gets none", 60, 1_000, 0],
  ["that failed, or whose claim was released, gets none", 60, null, 0],
] as const)("of the deliveries claimed ahead, an endpoint %s", ([, ahead, usedUpMs, next]) => {
  expect(decidePrefetch(ahead, usedUpMs)).toBe(next);
  expect(next).toBeLessThanOrEqual(MAX_PREFETCH);
});
