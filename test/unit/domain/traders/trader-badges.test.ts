import { expect, test } from "vitest";
import { decideBadges } from "../../../../src/domain/traders/trader-badges.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

test.each([
  { first: "2026-11-20T11:00:00Z", markets: 1, badges: { ageDays: 0, isNew: true, marketsTraded: 1, isBot: false } },
  { first: "2026-10-21T12:00:01Z", markets: 2, badges: { ageDays: 29, isNew: true, marketsTraded: 2, isBot: false } },
  { first: "2026-10-21T12:00:00Z", markets: null, badges: null },
  { first: "2025-11-20T12:00:00Z", markets: 9_999, badges: null },
  {
    first: "2025-11-20T12:00:00Z",
    markets: 10_000,
    badges: { ageDays: 365, isNew: false, marketsTraded: 10_000, isBot: true },
  },
  {
    first: "2026-11-19T12:00:00Z",
    markets: 12_000,
    badges: { ageDays: 1, isNew: true, marketsTraded: 12_000, isBot: true },
  },
  // Clocks differ: a first trade in the future counts as today.
  { first: "2026-11-20T12:00:05Z", markets: 1, badges: { ageDays: 0, isNew: true, marketsTraded: 1, isBot: false } },
])(
  "a trader with its first trade at $first and $markets markets has the badges $badges",
  ({ first, markets, badges }) => {
    expect(decideBadges(new Date(first), markets, NOW)).toEqual(badges);
  },
);

test("a trader with an unknown history has no badges", () => {
  expect(decideBadges(null, 20_000, NOW)).toBeNull();
});
