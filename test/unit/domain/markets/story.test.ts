import { expect, test } from "vitest";
import { storyOf } from "../../../../src/domain/markets/story.ts";

test.each([
  // Recorded: the provider's event mlb-mil-sd-2026-10-07 starts at this time.
  ["a game at ten in the evening", "2026-10-08T02:00:00Z", "2026-10-07"],
  ["a game after midnight", "2026-10-08T04:30:00Z", "2026-10-07"],
  ["the last second before noon", "2026-10-08T15:59:59Z", "2026-10-07"],
  ["noon", "2026-10-08T16:00:00Z", "2026-10-08"],
  ["New Year's Eve", "2027-01-01T03:00:00Z", "2026-12-31"],
  // The clock goes forward on 8 March and back on 1 November 2026: nights of 23 and 25 hours.
  ["the first second of the night in which summer time begins", "2026-03-07T17:00:00Z", "2026-03-07"],
  ["its last second", "2026-03-08T15:59:59Z", "2026-03-07"],
  ["the noon after it", "2026-03-08T16:00:00Z", "2026-03-08"],
  ["the first second of the night in which summer time ends", "2026-10-31T16:00:00Z", "2026-10-31"],
  ["its last second", "2026-11-01T16:59:59Z", "2026-10-31"],
  ["the noon after it", "2026-11-01T17:00:00Z", "2026-11-01"],
])("the night of %s is a date in US Eastern time, %s", (_, at, night) => {
  expect(storyOf("mlb", new Date(at))).toBe(`mlb ${night}`);
});

test("an event without a series or a time has no story", () => {
  expect(storyOf(null, new Date("2026-10-08T02:00:00Z"))).toBeNull();
  expect(storyOf("mlb", null)).toBeNull();
});
