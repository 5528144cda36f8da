import { reachesUsd } from "../dollar-floor.ts";
import { LEAN_MIN_POINTS, LEAN_MIN_USD } from "./parameters.ts";
import type { Direction } from "./trade-direction.ts";

/** Held by wallets graded S, A or B in one market, each wallet on its net side, at current prices. */
export interface GradedHoldings {
  readonly yesUsd: number;
  readonly noUsd: number;
  readonly walletCount: number;
}

export interface SmartLean {
  /** -1 to 1, above 0 for YES. Null without a price or below the least dollars. */
  readonly smartScore: number | null;
  /** Wallets behind it. */
  readonly smartCount: number;
  /** The side leaned to. Null when the lean is less than 10 points or not known. */
  readonly smartSide: Direction | null;
}

/**
 * Which side graded money leans to, against the price: YES's share of its dollars less YES's price. Shares held evenly on both sides are worth
 * exactly the price on YES's side, so an even split leans nowhere, at any price.
 *
 * @param yesPrice 0 to 1; null when there is none
 * Source: range, 10 points and 500 USD from the contract; the measure is our own, version 1.
 */
export function smartLean({ yesUsd, noUsd, walletCount }: GradedHoldings, yesPrice: number | null): SmartLean {
  const total = yesUsd + noUsd;
  if (yesPrice === null || !reachesUsd(total, LEAN_MIN_USD)) return { smartScore: null, smartCount: walletCount, smartSide: null };
  const smartScore = Math.min(1, Math.max(-1, yesUsd / total - yesPrice)) + 0;
  // A billionth of slack: 0.6 - 0.5 is a little less than 0.1 in floating point.
  const isClear = Math.abs(smartScore) >= LEAN_MIN_POINTS - 1e-9;
  return { smartScore, smartCount: walletCount, smartSide: isClear ? (smartScore > 0 ? "YES" : "NO") : null };
}
