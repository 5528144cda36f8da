import { expect, test } from "vitest";
import { pauseForHalfPage } from "../../../../src/ingest/feeds/poll-pause.ts";

/** Times of rows that are evenly spread over so many seconds, newest first, in whole seconds as the provider has them. */
const rowsOver = (seconds: number, count: number) =>
  Array.from({ length: count }, (_, index) => 1_760_000_000_000 - Math.floor((index * seconds) / (count - 1)) * 1_000);

test.each([
  { rate: "33 rows a second", seconds: 30, pauseMs: 15_000 },
  { rate: "100 rows a second", seconds: 10, pauseMs: 5_000 },
  { rate: "500 rows a second", seconds: 2, pauseMs: 1_000 },
  { rate: "1,000 rows in one second", seconds: 0, pauseMs: 1_000 },
])("a feed with $rate has half a page of news after $pauseMs ms, and a second is the least", ({ seconds, pauseMs }) => {
  expect(pauseForHalfPage(rowsOver(seconds, 1_000))).toBe(pauseMs);
});

test("a shorter page tells the rate as well, and one with less than a hundred rows does not", () => {
  expect(pauseForHalfPage(rowsOver(4, 200))).toBe(10_000);
  expect(pauseForHalfPage(rowsOver(4, 99))).toBeNull();
  expect(pauseForHalfPage([])).toBeNull();
});
