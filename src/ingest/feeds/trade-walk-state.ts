import { DAY_MS } from "../../scoring/utc-calendar.ts";
import type { FeedState } from "./checkpoints.ts";
import type { OrdinalCarry } from "./row-ordinals.ts";

/**
 * Rows of one block can arrive late, so each walk continues past the watermark: a short overlap every time, a
 * long one at intervals.
 */
const OVERLAP_MS = 60_000;
const DEEP_OVERLAP_MS = 600_000;
const DEEP_EVERY_MS = 60_000;

/**
 * A feed is ordered by time. The last rows of a page show how far it reaches, so that one misplaced row does
 * not end a walk.
 */
const EDGE_ROWS = 20;

export const NEW_FEED: FeedState = { watermarkMs: null, deepAtMs: null, walk: null, stored: 0 };

export type TradeWalk = NonNullable<FeedState["walk"]>;

/**
 * The walk to continue: the one that a crash interrupted, or a new one from the newest row backwards.
 *
 * @param backfillDays how far the first walk goes back; 0 for everything that the provider serves
 */
export function currentTradeWalk(
  state: FeedState,
  now: number,
  backfillDays: number,
): { walk: TradeWalk; deep: boolean } {
  if (state.walk !== null) return { walk: state.walk, deep: false };
  const deep = state.deepAtMs === null || now - state.deepAtMs >= DEEP_EVERY_MS;
  const firstFloor = backfillDays === 0 ? null : now - backfillDays * DAY_MS;
  const floorMs = state.watermarkMs === null ? firstFloor : state.watermarkMs - (deep ? DEEP_OVERLAP_MS : OVERLAP_MS);
  return { walk: { cursor: null, newestMs: null, floorMs, carry: null }, deep };
}

/** The feed's state after a page of the walk is applied. */
export function feedStateAfterPage(
  state: FeedState,
  walk: TradeWalk,
  page: {
    times: readonly number[];
    nextCursor: string | null;
    carry: OrdinalCarry | null;
    added: number;
    deep: boolean;
    now: number;
  },
): FeedState {
  // A row with a future time must not move the watermark there: walks would then end before rows that arrive
  // meanwhile.
  const newestMs = Math.max(walk.newestMs ?? -Infinity, ...page.times.map((time) => Math.min(time, page.now)));
  const newest = Number.isFinite(newestMs) ? newestMs : null;
  const lastTimes = page.times.slice(-EDGE_ROWS);
  const isBelowFloor = walk.floorMs !== null && lastTimes.length > 0 && Math.max(...lastTimes) < walk.floorMs;
  const isEnded = page.nextCursor === null || isBelowFloor;
  return {
    stored: state.stored + page.added,
    deepAtMs: page.deep ? page.now : state.deepAtMs,
    watermarkMs: isEnded
      ? Math.max(state.watermarkMs ?? -Infinity, newest ?? -Infinity, EMPTY_FEED_WATERMARK_MS)
      : state.watermarkMs,
    walk: isEnded ? null : { cursor: page.nextCursor, newestMs: newest, floorMs: walk.floorMs, carry: page.carry },
  };
}

// A feed that ended without a single row counts as walked, so its watermark must not stay null.
const EMPTY_FEED_WATERMARK_MS = 0;
