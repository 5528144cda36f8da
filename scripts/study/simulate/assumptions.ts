/*
 * Assumptions of the simulated population: published figures first, then our own where none is published.
 * None was chosen for its effect on an estimator. Two were changed after the first runs, each once and for a
 * published figure: ORDERS_DEVIATION (from 1.3) and MISPRICING (from 0.2, with the sights below).
 * docs/methodology.md lists the sources.
 */

/**
 * Share of accounts that beat the price by skill. London Business School and Yale, 1.72 million accounts:
 * 3.14 %, with makers 3.5 %.
 */
export const SKILLED_SHARE = 0.0314;
export const MAKER_SHARE = 0.004;
/**
 * 72.1 million trades at Kalshi: contracts at 5 cents win 4.18 %, so the truth has 1.064 times the price's
 * log odds.
 */
export const LONGSHOT_STRETCH = Math.log(0.0418 / 0.9582) / Math.log(0.05 / 0.95);
/** The same study: takers return -1.12 %, makers +1.12 %. At even odds that is half a point for each. */
export const HALF_SPREAD_AT_EVEN = 0.0056;
/**
 * A position in profit is closed 1.5 times as often as one in loss (Odean 1998: 0.148 and 0.098 of
 * positions).
 */
export const EXIT_IN_PROFIT = 0.36;
export const EXIT_IN_LOSS = 0.24;
/**
 * Three months of all wallets (sealaunch, Dune, 2026). Trades of a wallet are log-normal: a third make up to
 * 10 and two thirds up to 50, so the deviation is (ln 50 - ln 10) / 0.86 and the median near 23. The volume
 * of a wallet peaks between 600 and 3,000 dollars, so an order is about 60. 2 % of the wallets make 90 % of
 * the volume, so the deviation of its logarithm is 3.33.
 */
export const ORDERS_DEVIATION = 1.9;
export const ORDER_MEDIAN_USD = 60;
export const VOLUME_DEVIATION = 3.33;

/* Our own assumptions. */

export const YEAR_DAYS = 365;
export const COPIER_SHARE = 0.06;
export const FAVOURITE_SHARE = 0.07;
export const LOTTERY_SHARE = 0.1;
export const HERD_SHARE = 0.095;
/**
 * Deviation of a price's error, in log odds. The public reference has letters from +1.73 to -4.14 points:
 * groups of traders differ by six points, so prices must err by more than that. At even odds this is 9
 * points.
 */
export const MISPRICING = 0.35;
/** The fraction of a price's error that remains one step later. */
export const MISPRICING_STAYS = 0.7;
/** Part of a market's news that all markets of its event share. */
export const EVENT_SHARED = 0.5;
/** Part of the last news that all events of a story (an election night) share. */
export const STORY_SHARED = 0.5;
/** Share of events that belong to a story, and the number of events in one. */
export const STORY_EVENTS = 0.15;
export const EVENTS_PER_STORY = 40;
/** Part of a market's news that arrives only with its resolution. */
export const LAST_NEWS = 0.25;
export const STEPS = 12;
/** Correlation of a trader's signal with the price's error. */
export const SKILLED_SIGHT = [0.25, 0.75] as const;
export const ORDINARY_SIGHT_DEVIATION = 0.12;
export const HERD_SIGHT = -0.3;
/** Markets that a trader examines before it picks the one with the strongest signal. */
export const LOOKS = 3;
export const FAVOURITE_PRICE = 0.88;
export const LOTTERY_PRICE = 0.12;
/** The premium of a copier over the copied price at even odds. */
export const COPY_SLIP = 0.005;
export const COPY_FROM_DAY = 90;
export const COPIED_LEADERS = 300;
export const COPY_PROBABILITY = 0.5;
/** Deviation of the logarithm of one trader's order sizes. */
export const ORDER_SIZE_DEVIATION = 0.8;
/** Exponent: busier traders trade larger. */
export const SIZE_BY_ACTIVITY = 0.3;
/** The part of the volumes' deviation that remains for the size of a trader's orders. */
export const WALLET_SIZE_DEVIATION = Math.sqrt(
  VOLUME_DEVIATION ** 2 - ((1 + SIZE_BY_ACTIVITY) * ORDERS_DEVIATION) ** 2,
);
/** Chance that an order is filled in one more piece. */
export const ONE_MORE_PIECE = 0.4;
