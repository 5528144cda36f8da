import { describe, expect, test } from "vitest";
import type { FeedState } from "../../../../src/ingest/feeds/checkpoints.ts";
import { feedStateAfterPage, currentTradeWalk, NEW_FEED } from "../../../../src/ingest/feeds/trade-walk-state.ts";

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

function apply(state: FeedState, times: number[], nextCursor: string | null, backfillDays = 0): FeedState {
  const { walk, deep } = currentTradeWalk(state, NOW, backfillDays);
  return feedStateAfterPage(state, walk, { times, nextCursor, carry: null, added: times.length, deep, now: NOW });
}

test("the first walk goes back to the feed's end by default, or for the configured number of days", () => {
  expect(currentTradeWalk(NEW_FEED, NOW, 0).walk.floorMs).toBeNull();
  expect(currentTradeWalk(NEW_FEED, NOW, 2).walk.floorMs).toBe(NOW - 2 * DAY);
});

test("the watermark only moves when a walk ends, to the newest row of the walk", () => {
  const midway = apply(NEW_FEED, [NOW - 10, NOW - 20], "next");
  expect(midway).toMatchObject({ watermarkMs: null, walk: { cursor: "next", newestMs: NOW - 10 } });
  expect(apply(midway, [NOW - 30], null)).toMatchObject({ watermarkMs: NOW - 10, walk: null, stored: 3 });
});

describe("a walk of a feed that has caught up", () => {
  const caughtUp = apply(NEW_FEED, [NOW - DAY], null);
  const recent = Array.from({ length: 30 }, (_, i) => NOW - i);
  const old = Array.from({ length: 20 }, (_, i) => NOW - 2 * DAY - i);

  test("a walk ends at the first page whose end is below its floor, even if the feed continues", () => {
    expect(currentTradeWalk(caughtUp, NOW, 0).walk.floorMs).toBeLessThan(NOW - DAY);
    expect(apply(caughtUp, [...recent, ...old], "older")).toMatchObject({ walk: null, watermarkMs: NOW });
  });

  test("a walk continues past a single old row at any position, and past an empty page", () => {
    for (const index of [0, 15, 30]) {
      expect(apply(caughtUp, recent.toSpliced(index, 0, NOW - 9 * DAY), "older").walk?.cursor).toBe("older");
    }
    expect(apply(caughtUp, [], "older").walk?.cursor).toBe("older");
  });
});

test("a row from the future moves the watermark at most to now", () => {
  expect(apply(NEW_FEED, [NOW + DAY, NOW - 10], null)).toMatchObject({ walk: null, watermarkMs: NOW });
});

test("an interrupted walk continues from its cursor", () => {
  const midway = apply(NEW_FEED, [NOW - 10], "next");
  expect(currentTradeWalk(midway, NOW + 5_000, 0).walk).toEqual(midway.walk);
});

test("a feed without any row counts as walked", () => {
  expect(apply(NEW_FEED, [], null)).toMatchObject({ walk: null, watermarkMs: 0 });
});

test("walks go back a minute, and ten minutes once a minute", () => {
  const caughtUp = apply(NEW_FEED, [NOW], null);
  expect(currentTradeWalk(caughtUp, NOW + 10_000, 0).walk.floorMs).toBe(NOW - 60_000);
  expect(currentTradeWalk(caughtUp, NOW + 60_000, 0).walk.floorMs).toBe(NOW - 600_000);
});
