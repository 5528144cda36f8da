import { describe, expect, test } from "vitest";
import { decideNextSync, decideTier, type TrackingReasons } from "../../../../src/domain/traders/tracking.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const tierOf = (reasons: Partial<TrackingReasons>) =>
  decideTier({ grade: null, isOnBoard: false, lastLargeTradeAt: null, lastActiveAt: null, ...reasons }, NOW);

describe("the tier of a followed trader", () => {
  test.each<[string, Partial<TrackingReasons>, string]>([
    ["graded S and silent for years", { grade: "S" }, "hot"],
    ["graded A", { grade: "A", lastActiveAt: daysAgo(400) }, "hot"],
    ["graded B", { grade: "B" }, "hot"],
    ["graded C, active", { grade: "C", lastActiveAt: daysAgo(1) }, "warm"],
    ["graded F, silent", { grade: "F", lastActiveAt: daysAgo(31) }, "cold"],
    ["on a leaderboard of the provider", { isOnBoard: true, lastActiveAt: daysAgo(100) }, "hot"],
    ["with a large trade seven days ago", { lastLargeTradeAt: daysAgo(7), lastActiveAt: daysAgo(7) }, "hot"],
    ["with a large trade slightly earlier", { lastLargeTradeAt: daysAgo(7.01), lastActiveAt: daysAgo(7.01) }, "warm"],
    ["with a trade ahead of our clock", { lastLargeTradeAt: daysAgo(-0.01) }, "hot"],
    ["active thirty days ago", { lastActiveAt: daysAgo(30) }, "warm"],
    ["active slightly earlier", { lastActiveAt: daysAgo(30.01), lastLargeTradeAt: daysAgo(30.01) }, "cold"],
    ["without any activity", {}, "cold"],
  ])("a followed trader %s gets the tier of its activity", (_, reasons, tier) => {
    expect(tierOf(reasons)).toBe(tier);
  });
});

test("a hot trader is synced every minute, a warm one every half hour, a cold one once a week", () => {
  const minutes = (["hot", "warm", "cold"] as const).map(
    (tier) => (decideNextSync(tier, NOW).getTime() - NOW.getTime()) / 60_000,
  );
  expect(minutes).toEqual([1, 30, 7 * 24 * 60]);
});
