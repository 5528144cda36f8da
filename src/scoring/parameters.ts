/** Every constant of the maths, in one place. Changing one changes published figures. */

/** A trade this many times the capture floor gets the full size part of the review score. */
export const REVIEW_FULL_SIZE_RATIO = 200;
/** Weight of the trade's size, and of how far its price is from certainty, in the review score. */
export const REVIEW_SIZE_WEIGHT = 0.7;
export const REVIEW_ODDS_WEIGHT = 0.3;
