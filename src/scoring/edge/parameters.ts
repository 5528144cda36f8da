import { HOUR_MS, MINUTE_MS } from "../utc-calendar.ts";

/*
 * Parameters of the edge reads. Source: the contract for the horizon, the age of a live frame and the share of an
 * emerging pile; the rest is our own design (docs/edge.md).
 */

/** The furthest kickoff that a pre-game snapshot covers. */
export const HORIZON_HOURS = 48;

/** A live game is confirmed by a score frame at most this old. */
export const LIVE_FRAME_MAX_AGE_MS = 30_000;

/** A game whose provider object was read longer ago is not judged. */
export const SOURCE_MAX_AGE_MS = 30 * MINUTE_MS;

/** A pile is computed from a holder scan at most this old. */
export const SCAN_MAX_AGE_MS = 15 * MINUTE_MS;

/** The one-way figures of a pile need a holder scan at most this old; so does every pile of a live game. */
export const DIRECTION_MAX_AGE_MS = 180_000;

/** Below this share of the graded dollars, in percent, the larger side is not a pile: a near-even split. */
export const SPLIT_BELOW_PERCENT = 60n;

/** A signal has at least this share of the graded dollars, in percent, */
export const SIGNAL_MIN_PERCENT = 85n;

/** and at least this many dollars, in micro-dollars. */
export const SIGNAL_MIN_MICRO = 1_000_000_000n;

/** An emerging pile has at least this share, in percent, and less than a signal; */
export const EMERGING_MIN_PERCENT = 75n;

/** its game begins at least this much later. */
export const EMERGING_CUTOFF_MS = HOUR_MS;

/** Quarters of a dollar that a dollar of a holder of each grade adds to the backing score. */
export const BACKING_QUARTERS = { S: 4n, A: 2n, B: 1n } as const;
