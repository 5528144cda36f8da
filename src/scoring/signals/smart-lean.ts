import { reachesUsd } from "../dollar-floor.ts";
import { LEAN_MIN_POINTS, LEAN_MIN_USD } from "./parameters.ts";
import type { Direction } from "./trade-direction.ts";

/**
 * The positions of traders graded S, A or B in one market, each trader on its net side, at current prices.
 */
export interface GradedHoldings {
  readonly yesUsd: number;
  readonly noUsd: number;
  readonly traderCount: number;
}

export interface SmartLean {
  /** -1 to 1, above 0 for YES. Null without a price or below the minimum of dollars. */
  readonly smartScore: number | null;
  /** Number of traders behind it. */
  readonly smartCount: number;
  /** The side of the lean. Null when the lean is less than 10 points or unknown. */
  readonly smartSide: Direction | null;
}

/**
 * Which side graded money favours, relative to the price: YES's fraction of its dollars minus YES's price.
 * Equal numbers of shares on both sides give exactly the price, so an even split has no lean at any price.
 *
 * @param yesPrice 0 to 1; null when there is none
 * Source: range, 10 points and 500 USD from the contract; the measure is our own, version 1.
 */
export function smartLean({ yesUsd, noUsd, traderCount }: GradedHoldings, yesPrice: number | null): SmartLean {
  const total = yesUsd + noUsd;
  if (yesPrice === null || !reachesUsd(total, LEAN_MIN_USD))
    return { smartScore: null, smartCount: traderCount, smartSide: null };
  const smartScore = Math.min(1, Math.max(-1, yesUsd / total - yesPrice)) + 0;
  // A tolerance of a billionth: 0.6 - 0.5 is slightly less than 0.1 in floating point.
  const isClear = Math.abs(smartScore) >= LEAN_MIN_POINTS - 1e-9;
  return { smartScore, smartCount: traderCount, smartSide: isClear ? (smartScore > 0 ? "YES" : "NO") : null };
}
