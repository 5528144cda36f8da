import { REVIEW_FULL_SIZE_RATIO, REVIEW_ODDS_WEIGHT, REVIEW_SIZE_WEIGHT } from "./parameters.ts";

/**
 * How much a large trade deserves a look: an attention rank, not a probability and not a sign of skill.
 *
 * Size counts logarithmically from the capture floor (0) to 200 times the floor (1). Odds count by what the bought outcome would gain:
 * a long shot (1 - price) weighs more than a near certainty; a sale is read as buying the other side.
 *
 * @param sizeUsd dollars traded, at least `floorUsd`
 * @param price fraction 0 to 1
 * @returns 0 to 1, rounded to four decimals
 * Source: our own design, version 1.
 */
export function reviewScore(sizeUsd: number, floorUsd: number, price: number, side: "BUY" | "SELL"): number {
  const size = clampToUnit(Math.log(sizeUsd / floorUsd) / Math.log(REVIEW_FULL_SIZE_RATIO));
  const odds = clampToUnit(side === "BUY" ? 1 - price : price);
  return Math.round((REVIEW_SIZE_WEIGHT * size + REVIEW_ODDS_WEIGHT * odds) * 10_000) / 10_000;
}

function clampToUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}
