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
const SKILLED_SHARE = 0.0314;
const MAKER_SHARE = 0.004;
/**
 * 72.1 million trades at Kalshi: contracts at 5 cents win 4.18 %, so the truth has 1.064 times the price's
 * log odds.
 */
const LONGSHOT_STRETCH = Math.log(0.0418 / 0.9582) / Math.log(0.05 / 0.95);
/** The same study: takers return -1.12 %, makers +1.12 %. At even odds that is half a point for each. */
export const HALF_SPREAD_AT_EVEN = 0.0056;
/**
 * A position in profit is closed 1.5 times as often as one in loss (Odean 1998: 0.148 and 0.098 of
 * positions).
 */
const EXIT_IN_PROFIT = 0.36;
const EXIT_IN_LOSS = 0.24;
/**
 * Three months of all wallets (sealaunch, Dune, 2026). Trades of a wallet are log-normal: a third make up to
 * 10 and two thirds up to 50, so the deviation is (ln 50 - ln 10) / 0.86 and the median near 23. The volume
 * of a wallet peaks between 600 and 3,000 dollars, so an order is about 60. 2 % of the wallets make 90 % of
 * the volume, so the deviation of its logarithm is 3.33.
 */
const ORDERS_DEVIATION = 1.9;
const ORDER_MEDIAN_USD = 60;
const VOLUME_DEVIATION = 3.33;

/* Our own assumptions. */

const YEAR_DAYS = 365;
const COPIER_SHARE = 0.06;
const FAVOURITE_SHARE = 0.07;
const LOTTERY_SHARE = 0.1;
const HERD_SHARE = 0.095;
/**
 * Deviation of a price's error, in log odds. The public reference has letters from +1.73 to -4.14 points:
 * groups of traders differ by six points, so prices must err by more than that. At even odds this is 9
 * points.
 */
const MISPRICING = 0.35;
/** The fraction of a price's error that remains one step later. */
const MISPRICING_STAYS = 0.7;
/** Part of a market's news that all markets of its event share. */
const EVENT_SHARED = 0.5;
/** Part of the last news that all events of a story (an election night) share. */
const STORY_SHARED = 0.5;
/** Share of events that belong to a story, and the number of events in one. */
const STORY_EVENTS = 0.15;
const EVENTS_PER_STORY = 40;
/** Leagues that games belong to. Their games of one night do not depend on each other. */
const LEAGUES = 2;
/** Part of a market's news that arrives only with its resolution. */
const LAST_NEWS = 0.25;
/** The same of a game's news. */
const GAME_LAST_NEWS = LAST_NEWS;
/** The part of a game's trading that is over at its kickoff. The rest trades while it is played. */
const KICKOFF = 0.75;
export const STEPS = 12;
/** Correlation of a trader's signal with the price's error. */
const SKILLED_SIGHT = [0.25, 0.75] as const;
const ORDINARY_SIGHT_DEVIATION = 0.12;
const HERD_SIGHT = -0.3;
/** Markets that a trader examines before it picks the one with the strongest signal. */
const LOOKS = 3;
const FAVOURITE_PRICE = 0.88;
const LOTTERY_PRICE = 0.12;
/** The premium of a copier over the copied price at even odds. */
const COPY_SLIP = 0.005;
const COPY_FROM_DAY = 90;
const COPIED_LEADERS = 300;
const COPY_PROBABILITY = 0.5;
/** Deviation of the logarithm of one trader's order sizes. */
const ORDER_SIZE_DEVIATION = 0.8;
/** Exponent: busier traders trade larger. */
const SIZE_BY_ACTIVITY = 0.3;
/** The part of the volumes' deviation that remains for the size of a trader's orders. */
const WALLET_SIZE_DEVIATION = Math.sqrt(VOLUME_DEVIATION ** 2 - ((1 + SIZE_BY_ACTIVITY) * ORDERS_DEVIATION) ** 2);
/** Chance that an order is filled in one more piece. */
const ONE_MORE_PIECE = 0.4;

/** All assumptions, by name. */
export const ASSUMPTIONS = {
  SKILLED_SHARE,
  MAKER_SHARE,
  LONGSHOT_STRETCH,
  HALF_SPREAD_AT_EVEN,
  EXIT_IN_PROFIT,
  EXIT_IN_LOSS,
  ORDERS_DEVIATION,
  ORDER_MEDIAN_USD,
  VOLUME_DEVIATION,
  YEAR_DAYS,
  COPIER_SHARE,
  FAVOURITE_SHARE,
  LOTTERY_SHARE,
  HERD_SHARE,
  MISPRICING,
  MISPRICING_STAYS,
  EVENT_SHARED,
  STORY_SHARED,
  STORY_EVENTS,
  EVENTS_PER_STORY,
  LEAGUES,
  LAST_NEWS,
  GAME_LAST_NEWS,
  KICKOFF,
  STEPS,
  SKILLED_SIGHT,
  ORDINARY_SIGHT_DEVIATION,
  HERD_SIGHT,
  LOOKS,
  FAVOURITE_PRICE,
  LOTTERY_PRICE,
  COPY_SLIP,
  COPY_FROM_DAY,
  COPIED_LEADERS,
  COPY_PROBABILITY,
  ORDER_SIZE_DEVIATION,
  SIZE_BY_ACTIVITY,
  WALLET_SIZE_DEVIATION,
  ONE_MORE_PIECE,
};
