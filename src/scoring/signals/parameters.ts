/*
 * Every constant of the signals. Changing one changes published figures; SUSPICION_VERSION moves with those of suspicion. Source, where none
 * is named: our own design, version 1.
 */

export const SUSPICION_VERSION = "suspicion-1";

/** Least total of a live flag. Source: the contract. */
export const SUSPICION_FLOOR = 60;

/** A trade this many times the capture floor has the full dollar part of the size score. */
export const FULL_SIZE_RATIO = 200;
/** A trade of this share of all shares traded in its market has the full market part of it. */
export const FULL_MARKET_SHARE = 0.1;
export const SIZE_WEIGHTS = { dollars: 60, marketShare: 40 } as const;

/** A wallet is fresh below this age. Source: the contract's `is_new_wallet`. */
export const FRESH_DAYS = 30;
/** Markets traded before, at which a wallet is no beginner any more. */
export const FRESH_MARKETS = 20;
export const FRESH_WEIGHTS = { age: 50, fewMarkets: 30, conviction: 20 } as const;

/** Track whale: a trade of this many dollars, or of this share of its market. */
export const WHALE_MIN_USD = 50_000;
export const WHALE_MIN_MARKET_SHARE = 0.05;

/** Track fresh_conviction: so few markets before, so much of all the wallet ever traded, and an outcome that was still open. */
export const CONVICTION_MAX_MARKETS = 10;
export const CONVICTION_MIN_SHARE = 0.5;
export const CONVICTION_MAX_PRICE = 0.9;
export const CONVICTION_WEIGHTS = { size: 0.5, freshWallet: 0.5 } as const;

/** Track sliced_position: purchases of one side by one wallet within this time, so many, none larger than this share of their sum. */
export const SLICE_WINDOW_MS = 24 * 3_600_000;
export const SLICE_MIN_COUNT = 5;
export const SLICE_MAX_SHARE = 0.4;
/** The sum has to be this many times the capture floor. */
export const SLICE_MIN_FLOORS = 2;
/** So many slices have the full slicing part. */
export const SLICE_FULL_COUNT = 30;
export const SLICED_WEIGHTS = { size: 0.7, slicing: 0.3 } as const;

/** Amounts at which each exploration signal is full. */
export const FULL_VOLUME_USD = 10_000_000;
export const FULL_DAY_VOLUME_USD = 1_000_000;
export const FULL_LARGE_TRADES = 100;
export const FULL_LIQUIDITY_USD = 1_000_000;
export const FULL_SHARP_FLOW_USD = 1_000_000;
/** The recency signal halves every so often. */
export const RECENCY_HALF_LIFE_HOURS = 24;
/** A move of this much within 24 hours, in price, is a full signal. */
export const FULL_PRICE_MOVE = 0.2;
/** Taken off the discover score of a market without a price. */
export const MISSING_PRICE_PENALTY = 0.5;

/** Graded money below this many dollars, or leaning less than this from the price, names no side. Source: the contract. */
export const LEAN_MIN_USD = 500;
export const LEAN_MIN_POINTS = 0.1;

/** Fills under a hundredth of a share make no candle: rounding their dollars to the millionth moves the price in its fourth decimal. */
export const CANDLE_MIN_SHARES_MICRO = 10_000n;

/** Net flow of S, A and B wallets, in dollars either way, at which a market's window is announced. */
export const FLOW_ALERT_USD = { "1h": 25_000, "4h": 50_000, "24h": 100_000, "7d": 250_000 } as const;
/** An announced flow that keeps this much of the threshold is still the same crossing. */
export const FLOW_ALERT_RELEASE_PERCENT = 80n;
/** The lowest grade that counts into an announced flow. Source: the contract's sharp cohort. */
export const FLOW_ALERT_GRADE_FLOOR = "B" as const;
