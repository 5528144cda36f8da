import { expect, test } from "vitest";
import { decidePrefetch, MAX_PREFETCH, mustClaimAhead } from "../../../../src/webhooks/rules/claim-prefetch.ts";

test.for([
  ["starts with none before its first claim", 0, null, 0],
  ["that ended 1 attempt in 20 ms gets 50", 1, 20, 50],
  ["that ended 31 attempts in half a second gets 60", 31, 500, 60],
  ["that ended 29 attempts in half a second gets 58", 29, 500, 58],
  ["that ended all within the same millisecond gets sixty", 4, 0, 60],
  ["that ended 30 attempts in two seconds gets 15", 30, 2_000, 15],
  ["that ended 1 attempt in a second gets 1", 1, 1_000, 1],
  ["that ended 1 attempt in more than a second gets none", 1, 1_001, 0],
  ["that ended none gets none", 0, 5, 0],
  ["that failed, or whose claim was released, gets none", 60, null, 0],
] as const)("of the deliveries claimed ahead, an endpoint %s", ([, ended, elapsedMs, prefetch]) => {
  expect(decidePrefetch(ended, elapsedMs)).toBe(prefetch);
  expect(prefetch).toBeLessThanOrEqual(MAX_PREFETCH);
});

test.for([
  [31, 60, false],
  [30, 60, true],
  [1, 1, false],
  [1, 0, false],
] as const)("%i ready deliveries of a claim of %i ahead: the next claim is made: %s", ([ready, ahead, isMade]) => {
  expect(mustClaimAhead(ready, ahead)).toBe(isMade);
});
