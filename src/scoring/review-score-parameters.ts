/** The constants of the review score. Changing one changes published figures. */

/** A trade of this multiple of the capture floor gets the full size part of the review score. */
export const REVIEW_FULL_SIZE_RATIO = 200;
/** Weights in the review score of the trade's size, and of the distance of its price from certainty. */
export const REVIEW_SIZE_WEIGHT = 0.7;
export const REVIEW_ODDS_WEIGHT = 0.3;
