import { describe, expect, test } from "vitest";
import type { FeedState } from "../../../../src/ingest/feeds/checkpoints.ts";
import {
  currentTradeWalk,
  feedStateAfterPage,
  NEW_FEED,
  type AppliedPage,
} from "../../../../src/ingest/feeds/trade-walk-state.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

const NOW = Date.UTC(2026, 10, 21);

function apply(
  state: FeedState,
  times: number[],
  nextCursor: string | null,
  facts: Partial<AppliedPage> = {},
): FeedState {
  const walk = currentTradeWalk(state, NOW, 0);
  const page = { times, nextCursor, carry: null, added: times.length, oldestAddedMs: null, now: NOW, ...facts };
  return feedStateAfterPage(state, walk, page);
}

test("the first walk goes back to the feed's end by default, or for the configured number of days", () => {
  expect(currentTradeWalk(NEW_FEED, NOW, 0).floorMs).toBeNull();
  expect(currentTradeWalk(NEW_FEED, NOW, 2).floorMs).toBe(NOW - 2 * DAY_MS);
});

test("the watermark only moves when a walk ends, to the newest row of the walk", () => {
  const midway = apply(NEW_FEED, [NOW - 10, NOW - 20], "next");
  expect(midway).toMatchObject({ watermarkMs: null, walk: { cursor: "next", newestMs: NOW - 10 } });
  expect(apply(midway, [NOW - 30], null)).toMatchObject({ watermarkMs: NOW - 10, walk: null, stored: 3 });
});

describe("a walk of a feed that has caught up", () => {
  const caughtUp = apply(NEW_FEED, [NOW - DAY_MS], null);
  const recent = Array.from({ length: 30 }, (_, i) => NOW - i);
  const old = Array.from({ length: 20 }, (_, i) => NOW - 2 * DAY_MS - i);

  test("a walk ends at the first page whose end is below its floor, even if the feed continues", () => {
    expect(currentTradeWalk(caughtUp, NOW, 0).floorMs).toBeLessThan(NOW - DAY_MS);
    expect(apply(caughtUp, [...recent, ...old], "older")).toMatchObject({ walk: null, watermarkMs: NOW });
  });

  test("a walk continues past a single old row at any position, and past an empty page", () => {
    for (const index of [0, 15, 30]) {
      expect(apply(caughtUp, recent.toSpliced(index, 0, NOW - 9 * DAY_MS), "older").walk?.cursor).toBe("older");
    }
    expect(apply(caughtUp, [], "older").walk?.cursor).toBe("older");
  });
});

test("a row from the future moves the watermark at most to now", () => {
  expect(apply(NEW_FEED, [NOW + DAY_MS, NOW - 10], null)).toMatchObject({ walk: null, watermarkMs: NOW });
});

test("an interrupted walk continues from its cursor", () => {
  const midway = apply(NEW_FEED, [NOW - 10], "next");
  expect(currentTradeWalk(midway, NOW + 5_000, 0)).toEqual(midway.walk);
});

test("a feed without any row counts as walked", () => {
  expect(apply(NEW_FEED, [], null)).toMatchObject({ walk: null, watermarkMs: 0 });
});

describe("overlaps", () => {
  const caughtUp = { ...apply(NEW_FEED, [NOW], null), deepEveryMs: 60_000 };
  const startAt = (ms: number, state = caughtUp) => currentTradeWalk(state, NOW + ms, 0);

  test("a walk goes back 20 seconds, and at intervals to nine minutes before the last long overlap began", () => {
    expect(startAt(10_000)).toMatchObject({ isDeep: false, floorMs: NOW - 20_000 });
    expect(startAt(60_000)).toMatchObject({ isDeep: true, floorMs: NOW - 540_000 });
    const later = { ...caughtUp, watermarkMs: NOW + 300_000 };
    expect(startAt(300_000, later)).toMatchObject({ isDeep: true, floorMs: NOW - 540_000 });
  });

  test("a walk within ten seconds of the last overlap goes back five seconds, and the next one to before that overlap", () => {
    expect(startAt(9_999)).toMatchObject({ isShort: true, floorMs: NOW - 5_000 });
    const later = { ...caughtUp, watermarkMs: NOW + 7_000 };
    expect(startAt(9_999, later)).toMatchObject({ isShort: true, floorMs: NOW + 2_000 });
    expect(startAt(10_000, later)).toMatchObject({ isShort: false, floorMs: NOW - 20_000 });
    expect(startAt(60_000)).toMatchObject({ isDeep: true, isShort: false });
  });

  test("an overlap begins with the first page of a walk that is not short", () => {
    const walked = (walk: FeedState["walk"]) => apply({ ...caughtUp, overlapAtMs: NOW - 7_000, walk }, [NOW], null);
    expect(walked(startAt(9_000)).overlapAtMs).toBe(NOW - 7_000);
    expect(walked(startAt(10_000)).overlapAtMs).toBe(NOW);
    expect(walked({ ...startAt(10_000), cursor: "next" }).overlapAtMs).toBe(NOW - 7_000);
  });

  test("a short walk continues five seconds past a row that is new below the watermark", () => {
    const page = [NOW + 1_000, ...Array.from({ length: 20 }, (_, n) => NOW - 12_000 - n)];
    const walking = { ...caughtUp, walk: startAt(5_000) };
    expect(apply(walking, page, "older", { oldestAddedMs: NOW - 6_000 }).walk).toBeNull();
    expect(apply(walking, page, "older", { oldestAddedMs: NOW - 8_000 }).walk).toMatchObject({ floorMs: NOW - 13_000 });
  });

  test("a row that is new below the watermark extends the overlap past itself, at most nine minutes", () => {
    const page = [NOW + 1_000, ...Array.from({ length: 20 }, (_, n) => NOW - 25_000 - n)];
    const walking = { ...caughtUp, walk: startAt(10_000) };
    expect(apply(walking, page, "older").walk).toBeNull();
    expect(apply(walking, page, "older", { oldestAddedMs: NOW + 1_000 }).walk).toBeNull();
    expect(apply(walking, page, "older", { oldestAddedMs: NOW - 8_000 }).walk).toMatchObject({
      floorMs: NOW - 28_000,
      hasLateRows: false,
    });
    expect(apply(walking, page, "older", { oldestAddedMs: NOW - 9 * DAY_MS }).walk).toMatchObject({
      floorMs: NOW - 540_000,
      hasLateRows: true,
    });
  });

  test("the pause between long overlaps doubles up to ten minutes, and is short again after a late row", () => {
    let state: FeedState = caughtUp;
    const pauses = Array.from({ length: 5 }, () => {
      state = apply({ ...state, walk: startAt(60_000) }, [NOW], null);
      return state.deepEveryMs;
    });
    expect(pauses).toEqual([120_000, 240_000, 480_000, 600_000, 600_000]);
    const late = { oldestAddedMs: NOW - 30_000 };
    expect(apply({ ...state, walk: startAt(0) }, [NOW], null, late).deepEveryMs).toBe(60_000);
  });

  test.each([
    { name: "on time", rate: 30, pollMs: 10_000, minutes: 60, lateEvery: Infinity, mostPages: 12 },
    {
      ...{ name: "late by up to eight minutes, one of a thousand", rate: 30, pollMs: 10_000, minutes: 60 },
      ...{ lateEvery: 1_000, mostPages: 40 },
    },
    // 20 seconds of overlap with each walk are 222 pages a minute.
    { name: "on time", rate: 300, pollMs: 2_000, minutes: 5, lateEvery: Infinity, mostPages: 120 },
  ])(
    "$minutes minutes of $rate rows a second, $name, are stored whole with at most $mostPages pages a minute",
    ({ mostPages, ...feed }) => {
      const { pages, missing } = walkFor(feed);
      expect(missing).toBe(0);
      expect(pages / feed.minutes).toBeLessThanOrEqual(mostPages);
    },
  );
});

interface SimulatedFeed {
  readonly rate: number;
  readonly pollMs: number;
  readonly minutes: number;
  readonly lateEvery: number;
}

/**
 * Walks a feed for some minutes. Rows appear in batches four seconds apart, up to eleven seconds after their
 * time, and every `lateEvery`-th up to eight minutes.
 */
function walkFor({ rate, pollMs, minutes, lateEvery }: SimulatedFeed): { pages: number; missing: number } {
  const [second, lengthMs, pageRows] = [1_000, minutes * 60_000, 1_000];
  const rows = Array.from({ length: rate * 60 * minutes }, (_, n) => {
    const at = NOW + Math.floor(n / rate) * second;
    const delay = n % lateEvery === lateEvery - 1 ? 60_000 + ((n * 7_919) % 420_000) : 3_000 + ((n * 7_919) % 8_000);
    return { at, visibleAt: Math.ceil((at + delay) / 4_000) * 4_000 };
  }).toReversed();
  const stored = new Set<object>();
  let state: FeedState = { ...NEW_FEED, watermarkMs: NOW, deepAtMs: NOW };
  let pages = 0;
  const last = NOW + lengthMs + 1_200_000;
  for (let now = NOW; now <= last; now += pollMs) {
    // The rows of the last 20 minutes; no walk goes further back.
    const first = Math.max(0, rows.length - rate * Math.floor((now - NOW) / second + 1));
    const feed = rows.slice(first, first + rate * 1_200).filter(({ visibleAt }) => visibleAt <= now);
    for (let start = 0; start === 0 || state.walk !== null; start += pageRows) {
      const page = feed.slice(start, start + pageRows);
      const fresh = page.filter((row) => !stored.has(row));
      for (const row of fresh) stored.add(row);
      const facts = { added: fresh.length, oldestAddedMs: fresh.at(-1)?.at ?? null, carry: null, now };
      const nextCursor = start + pageRows < feed.length ? "older" : null;
      const walk = currentTradeWalk(state, now, 0);
      state = feedStateAfterPage(state, walk, { ...facts, times: page.map(({ at }) => at), nextCursor });
      if (now <= NOW + lengthMs) pages += 1;
    }
  }
  return { pages, missing: rows.length - stored.size };
}
