import type { Tier } from "./tracking.ts";
import { HOUR_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

export type PositionFreshness = "fresh" | "refreshing" | "stale" | "unknown";

/** Followed traders are read at least every half hour, and one read may fail. */
const FRESH_MS = HOUR_MS;

/** Position values follow prices within seconds; an older valuation means a failure. */
export const VALUES_FRESH_MS = 5 * MINUTE_MS;

/** Why a sum of open positions may be old: the provider names a result some time after a market ends. */
export const RESULT_PENDING =
  "some open positions are in markets that have ended and whose result is pending; they are valued at the last trade";

/**
 * The freshness of a trader's positions: `fresh` within an hour of the last read of its activity; then
 * `refreshing` while the trader is followed, because a read is due; `stale` when it is no longer followed.
 *
 * @param reconciledAt null when the whole activity was never read, or when part of it could not be applied
 */
export function positionFreshness(reconciledAt: Date | null, tier: Tier, now: Date): PositionFreshness {
  if (reconciledAt === null) return "unknown";
  if (now.getTime() - reconciledAt.getTime() <= FRESH_MS) return "fresh";
  return tier === "cold" ? "stale" : "refreshing";
}
