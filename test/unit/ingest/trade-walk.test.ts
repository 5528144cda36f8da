import { describe, expect, test } from "vitest";
import type { FeedState } from "../../../src/ingest/checkpoints.ts";
import { afterPage, currentWalk, NEW_FEED } from "../../../src/ingest/trade-walk.ts";

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

function apply(state: FeedState, times: number[], nextCursor: string | null, backfillDays = 0): FeedState {
  const { walk, deep } = currentWalk(state, NOW, backfillDays);
  return afterPage(state, walk, { times, nextCursor, carry: null, added: times.length, deep, now: NOW });
}

test("the first walk goes back to the feed's end when no limit is set, else so many days", () => {
  expect(currentWalk(NEW_FEED, NOW, 0).walk.floorMs).toBeNull();
  expect(currentWalk(NEW_FEED, NOW, 2).walk.floorMs).toBe(NOW - 2 * DAY);
});

test("the watermark moves only when the walk ends, to the newest row it saw", () => {
  const midway = apply(NEW_FEED, [NOW - 10, NOW - 20], "next");
  expect(midway).toMatchObject({ watermarkMs: null, walk: { cursor: "next", newestMs: NOW - 10 } });
  expect(apply(midway, [NOW - 30], null)).toMatchObject({ watermarkMs: NOW - 10, walk: null, stored: 3 });
});

describe("a walk that has caught up before", () => {
  const caughtUp = apply(NEW_FEED, [NOW - DAY], null);
  const recent = Array.from({ length: 30 }, (_, i) => NOW - i);
  const old = Array.from({ length: 20 }, (_, i) => NOW - 2 * DAY - i);

  test("ends at the first page whose end is below its floor, although the feed goes on", () => {
    expect(currentWalk(caughtUp, NOW, 0).walk.floorMs).toBeLessThan(NOW - DAY);
    expect(apply(caughtUp, [...recent, ...old], "older")).toMatchObject({ walk: null, watermarkMs: NOW });
  });

  test("goes on past an old row that is out of place, wherever it stands, and past a page without rows", () => {
    for (const at of [0, 15, 30]) {
      expect(apply(caughtUp, recent.toSpliced(at, 0, NOW - 9 * DAY), "older").walk?.cursor).toBe("older");
    }
    expect(apply(caughtUp, [], "older").walk?.cursor).toBe("older");
  });
});

test("a row from the future takes the watermark no further than now", () => {
  expect(apply(NEW_FEED, [NOW + DAY, NOW - 10], null)).toMatchObject({ walk: null, watermarkMs: NOW });
});

test("an interrupted walk goes on from its cursor", () => {
  const midway = apply(NEW_FEED, [NOW - 10], "next");
  expect(currentWalk(midway, NOW + 5_000, 0).walk).toEqual(midway.walk);
});

test("a feed without a single row counts as walked", () => {
  expect(apply(NEW_FEED, [], null)).toMatchObject({ walk: null, watermarkMs: 0 });
});

test("walks go back a minute, and ten minutes once a minute", () => {
  const caughtUp = apply(NEW_FEED, [NOW], null);
  expect(currentWalk(caughtUp, NOW + 10_000, 0).walk.floorMs).toBe(NOW - 60_000);
  expect(currentWalk(caughtUp, NOW + 60_000, 0).walk.floorMs).toBe(NOW - 600_000);
});
