/*
 * Constants of the rule that selects picks (docs/methodology.md, "The daily pick"). They were set before any pick
 * was measured and are not fitted to results.
 */

/** Changes with any constant or step of the rule. */
export const PICK_METHOD = "picks-1";

/** Weight of one holder by grade. Other grades do not count. */
export const HOLDER_WEIGHT = { S: 2, A: 1 } as const;

/** The fewest holders graded S or A on the backed side. */
export const MIN_HOLDERS = 2;

/** The fewest dollars that they hold on it: 5,000, in micro-dollars. */
export const MIN_BACKED_MICRO = 5_000_000_000n;

/** The smallest share of all S and A dollars on the backed side, in percent. */
export const MIN_SHARE_PERCENT = 75n;

/** The range of the backed side's price, in millionths. Beyond it one game decides little or nearly everything. */
export const MIN_PRICE_PPM = 150_000n;
export const MAX_PRICE_PPM = 850_000n;

/** The most picks of one product day. */
export const MAX_PICKS_A_DAY = 15;

/** Full-game markets that are considered: at most one of each kind in a game. */
export const PICK_MARKET_KINDS = ["moneyline", "spreads"] as const;
