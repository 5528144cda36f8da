import { expect, test } from "vitest";
import { requestedWaitMs, RETRY_HORIZON_SECONDS, retryWaitMs } from "../../../../src/webhooks/rules/retry-schedule.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

test.for([
  [0, 48_000],
  [0.25, 54_000],
  [0.5, 60_000],
  [0.999_999_999, 72_000],
] as const)("a retry with the draw %d waits %d ms, a minute plus or minus a fifth", ([random, waitMs]) => {
  expect(retryWaitMs(random)).toBe(waitMs);
});

test("seven retry waits of the longest kind last 504 seconds", () => expect(RETRY_HORIZON_SECONDS).toBe(504));

test.for<[number, string | null, number | null]>([
  [503, "120", 120_000],
  [429, " 90 ", 90_000],
  [408, "61", 61_000],
  [500, "0", 60_000],
  [503, "59", 60_000],
  [503, "3601", 3_600_000],
  [503, "99999999999999999999999", 3_600_000],
  [599, "Fri, 20 Nov 2026 12:10:00 GMT", 600_000],
  [429, "Fri, 20 Nov 2026 11:00:00 GMT", 60_000],
  [429, "Thu, 20 Nov 2036 11:00:00 GMT", 3_600_000],
  // Ignored.
  [503, null, null],
  [404, "120", null],
  [410, "120", null],
  [301, "120", null],
  [503, "", null],
  [503, "soon", null],
  [503, "-5", null],
  [503, "1.5", null],
  [503, "0x20", null],
  [503, "1e3", null],
  [503, "2026-11-20T12:10:00Z", null],
  [503, "Fri, 99 Nov 2026 12:10:00 GMT", null],
])("a response of status %d with Retry-After %j asks for a wait of %s ms", ([status, retryAfter, waitMs]) => {
  expect(requestedWaitMs(status, retryAfter, NOW)).toBe(waitMs);
});
