import { DAY_MS } from "../../scoring/utc-calendar.ts";
import type { FeedState } from "./checkpoints.ts";
import type { OrdinalCarry } from "./row-ordinals.ts";

/**
 * Rows can arrive late: the provider shows them up to 11 s after their block, in batches (measured in September 2026).
 * A walk therefore continues this far past the watermark, and this far past each row that it sees for the first time.
 */
const OVERLAP_MS = 20_000;
/** A busy feed is polled more often than this. Between two such overlaps, its walks read a short one. */
const OVERLAP_EVERY_MS = 10_000;
const SHORT_OVERLAP_MS = 5_000;
/** Rows that arrive later than that are found by long overlaps, if they arrive within this time. */
const LATEST_MS = 540_000;
/** The pause between long overlaps: short after one has found a row, doubled each time when it has not. */
const DEEP_LEAST_MS = 60_000;
const DEEP_MOST_MS = 600_000;

/**
 * A feed is ordered by time. The last rows of a page show how far it reaches, so that one misplaced row does
 * not end a walk.
 */
const EDGE_ROWS = 20;

export const NEW_FEED: FeedState = {
  watermarkMs: null,
  overlapAtMs: null,
  deepAtMs: null,
  deepEveryMs: DEEP_LEAST_MS,
  walk: null,
  stored: 0,
};

export type TradeWalk = NonNullable<FeedState["walk"]>;

/**
 * The walk to continue: the one that a crash interrupted, or a new one from the newest row backwards.
 *
 * @param backfillDays how far the first walk goes back; 0 for everything that the provider serves
 */
export function currentTradeWalk(state: FeedState, now: number, backfillDays: number): TradeWalk {
  if (state.walk !== null) return state.walk;
  const isDeep = state.deepAtMs === null || now - state.deepAtMs >= state.deepEveryMs;
  const isShort = !isDeep && state.overlapAtMs !== null && now - state.overlapAtMs < OVERLAP_EVERY_MS;
  const firstFloor = backfillDays === 0 ? null : now - backfillDays * DAY_MS;
  const floorMs = state.watermarkMs === null ? firstFloor : floorOf(state, state.watermarkMs, { isDeep, isShort });
  return { cursor: null, newestMs: null, floorMs, carry: null, isDeep, isShort, hasLateRows: false };
}

type Overlap = Pick<TradeWalk, "isDeep" | "isShort">;

/** Each overlap but the short one covers every row that can have arrived since the last one of its kind began. */
function floorOf({ overlapAtMs, deepAtMs }: FeedState, watermarkMs: number, { isDeep, isShort }: Overlap): number {
  if (isShort) return watermarkMs - SHORT_OVERLAP_MS;
  return isDeep
    ? Math.min(watermarkMs, deepAtMs ?? watermarkMs) - LATEST_MS
    : Math.min(watermarkMs, overlapAtMs ?? watermarkMs) - OVERLAP_MS;
}

/** The times of a page's rows in order, and which of them were new. */
export interface AppliedPage {
  readonly times: readonly number[];
  readonly nextCursor: string | null;
  readonly carry: OrdinalCarry | null;
  readonly added: number;
  /** Time of the oldest row that was not stored before, ms; null when there is none. */
  readonly oldestAddedMs: number | null;
  readonly now: number;
}

/** The feed's state after a page of the walk is applied. */
export function feedStateAfterPage(state: FeedState, walk: TradeWalk, page: AppliedPage): FeedState {
  // A row with a future time must not move the watermark there: walks would then end before rows that arrive
  // meanwhile.
  const newestMs = Math.max(walk.newestMs ?? -Infinity, ...page.times.map((time) => Math.min(time, page.now)));
  const newest = Number.isFinite(newestMs) ? newestMs : null;
  const { floorMs, hasLateRows } = extendOverlap(state, walk, page.oldestAddedMs);
  const lastTimes = page.times.slice(-EDGE_ROWS);
  const isBelowFloor = floorMs !== null && lastTimes.length > 0 && Math.max(...lastTimes) < floorMs;
  const isEnded = page.nextCursor === null || isBelowFloor;
  const common = {
    stored: state.stored + page.added,
    overlapAtMs: !walk.isShort && walk.cursor === null ? page.now : state.overlapAtMs,
    deepAtMs: walk.isDeep && walk.cursor === null ? page.now : state.deepAtMs,
  };
  if (!isEnded) {
    const next = { ...walk, cursor: page.nextCursor, newestMs: newest, floorMs, carry: page.carry, hasLateRows };
    return { ...common, deepEveryMs: state.deepEveryMs, watermarkMs: state.watermarkMs, walk: next };
  }
  return {
    ...common,
    deepEveryMs: decideDeepPause(state, { isDeep: walk.isDeep, hasLateRows }),
    watermarkMs: Math.max(state.watermarkMs ?? -Infinity, newest ?? -Infinity, EMPTY_FEED_WATERMARK_MS),
    walk: null,
  };
}

/** A row that is new below the watermark extends the overlap. One misplaced row does not extend it without bound. */
function extendOverlap({ watermarkMs }: FeedState, walk: TradeWalk, oldestAddedMs: number | null) {
  const { floorMs, hasLateRows } = walk;
  const overlapMs = walk.isShort ? SHORT_OVERLAP_MS : OVERLAP_MS;
  if (watermarkMs === null || floorMs === null || oldestAddedMs === null || oldestAddedMs >= watermarkMs)
    return { floorMs, hasLateRows };
  return {
    floorMs: Math.min(floorMs, Math.max(oldestAddedMs - overlapMs, watermarkMs - LATEST_MS)),
    hasLateRows: hasLateRows || oldestAddedMs < watermarkMs - OVERLAP_MS,
  };
}

function decideDeepPause({ deepEveryMs }: FeedState, walk: Pick<TradeWalk, "isDeep" | "hasLateRows">): number {
  if (walk.hasLateRows) return DEEP_LEAST_MS;
  return walk.isDeep ? Math.min(2 * deepEveryMs, DEEP_MOST_MS) : deepEveryMs;
}

// A feed that ended without a single row counts as walked, so its watermark must not stay null.
const EMPTY_FEED_WATERMARK_MS = 0;
