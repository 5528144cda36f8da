import type { FeedState } from "./checkpoints.ts";
import type { Carry } from "./identity.ts";

/** Rows of one block can arrive late, so each walk goes back past the watermark: a little every time, further once in a while. */
const OVERLAP_MS = 60_000;
const DEEP_OVERLAP_MS = 600_000;
const DEEP_EVERY_MS = 60_000;

/** A feed is in order of time; a few rows at a page's end say where it is, so that one row out of place does not end a walk. */
const EDGE_ROWS = 20;

export const NEW_FEED: FeedState = { watermarkMs: null, deepAtMs: null, walk: null, stored: 0 };

export type Walk = NonNullable<FeedState["walk"]>;

/**
 * The walk to go on with: the one a kill interrupted, or a new one from the newest row back.
 *
 * @param backfillDays how far the first walk goes back; 0 for all the provider serves
 */
export function currentWalk(state: FeedState, now: number, backfillDays: number): { walk: Walk; deep: boolean } {
  if (state.walk !== null) return { walk: state.walk, deep: false };
  const deep = state.deepAtMs === null || now - state.deepAtMs >= DEEP_EVERY_MS;
  const firstFloor = backfillDays === 0 ? null : now - backfillDays * 86_400_000;
  const floorMs = state.watermarkMs === null ? firstFloor : state.watermarkMs - (deep ? DEEP_OVERLAP_MS : OVERLAP_MS);
  return { walk: { cursor: null, newestMs: null, floorMs, carry: null }, deep };
}

/** The feed's state once a page of the walk has been applied. */
export function afterPage(
  state: FeedState,
  walk: Walk,
  page: { times: readonly number[]; nextCursor: string | null; carry: Carry | null; added: number; deep: boolean; now: number },
): FeedState {
  // A row from the future must not take the watermark there: walks would then end before what came meanwhile.
  const newestMs = Math.max(walk.newestMs ?? -Infinity, ...page.times.map((time) => Math.min(time, page.now)));
  const newest = Number.isFinite(newestMs) ? newestMs : null;
  const edge = page.times.slice(-EDGE_ROWS);
  const belowFloor = walk.floorMs !== null && edge.length > 0 && Math.max(...edge) < walk.floorMs;
  const ended = page.nextCursor === null || belowFloor;
  return {
    stored: state.stored + page.added,
    deepAtMs: page.deep ? page.now : state.deepAtMs,
    watermarkMs: ended ? Math.max(state.watermarkMs ?? -Infinity, newest ?? -Infinity, NEVER) : state.watermarkMs,
    walk: ended ? null : { cursor: page.nextCursor, newestMs: newest, floorMs: walk.floorMs, carry: page.carry },
  };
}

// A feed that ended without a single row has still been walked; the watermark must not stay null.
const NEVER = 0;
