import { REVIEW_FULL_SIZE_RATIO, REVIEW_ODDS_WEIGHT, REVIEW_SIZE_WEIGHT } from "./review-score-parameters.ts";

/**
 * How much a large trade deserves attention: a ranking aid, not a probability and not a sign of skill.
 *
 * The size part is logarithmic from the capture floor (0) to 200 times the floor (1). The odds part is the
 * possible gain of the bought outcome: a long shot (1 - price) weighs more than a near certainty; a sale
 * counts as buying the other side.
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
