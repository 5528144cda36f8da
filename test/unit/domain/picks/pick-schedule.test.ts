import { expect, test } from "vitest";
import { productDayOf, releaseAt } from "../../../../src/domain/picks/pick-schedule.ts";

// US Eastern time is UTC-4 from the second Sunday of March to the first Sunday of November, else UTC-5.
test.each([
  ["2026-11-23T04:59:59.999Z", "2026-11-22"],
  ["2026-11-23T05:00:00Z", "2026-11-23"],
  ["2026-07-04T03:59:59Z", "2026-07-03"],
  ["2026-07-04T04:00:00Z", "2026-07-04"],
  ["2026-03-08T04:59:59Z", "2026-03-07"],
  ["2026-03-09T03:59:59Z", "2026-03-08"],
  ["2026-03-09T04:00:00Z", "2026-03-09"],
  ["2026-11-01T03:59:59Z", "2026-10-31"],
  ["2026-11-02T04:59:59Z", "2026-11-01"],
  ["2026-11-02T05:00:00Z", "2026-11-02"],
  ["2027-01-01T04:30:00Z", "2026-12-31"],
])("the product day of %s is %s", (instant, day) => {
  expect(productDayOf(new Date(instant))).toBe(day);
});

test("a pick is released one hour before its kickoff, also where the clocks change", () => {
  expect(releaseAt(new Date("2026-11-01T06:30:00Z"))).toEqual(new Date("2026-11-01T05:30:00Z"));
});
