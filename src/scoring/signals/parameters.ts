import { DAY_MS } from "../utc-calendar.ts";

/*
 * All constants of the signals. Changing one changes published figures; changing one of suspicion requires a
 * new SUSPICION_VERSION. Source, unless stated otherwise: our own design, version 1.
 */

export const SUSPICION_VERSION = "suspicion-1";

/** Minimum score of a live flag. Source: the contract. */
export const SUSPICION_FLOOR = 60;

/** A trade of this multiple of the capture floor gets the full dollar part of the size score. */
export const FULL_SIZE_RATIO = 200;
/**
 * A trade of this fraction of all shares traded in its market gets the full market part of the size score.
 */
export const FULL_MARKET_SHARE = 0.1;
export const SIZE_WEIGHTS = { dollars: 60, marketShare: 40 } as const;

/** A trader is fresh below this age. Source: the contract's `is_new_wallet`. */
export const FRESH_DAYS = 30;
/** With this many earlier markets a trader is no longer a beginner. */
export const FRESH_MARKETS = 20;
export const FRESH_WEIGHTS = { age: 50, fewMarkets: 30, conviction: 20 } as const;

/** Track whale: a trade of this many dollars, or of this fraction of its market. */
export const WHALE_MIN_USD = 50_000;
export const WHALE_MIN_MARKET_SHARE = 0.05;

/**
 * Track fresh_conviction: at most this many earlier markets, at least this fraction of the trader's total
 * volume, and at most this price of the bought side.
 */
export const CONVICTION_MAX_MARKETS = 10;
export const CONVICTION_MIN_SHARE = 0.5;
export const CONVICTION_MAX_PRICE = 0.9;
export const CONVICTION_WEIGHTS = { size: 0.5, freshWallet: 0.5 } as const;

/**
 * Track sliced_position: at least this many purchases of one side by one trader within this time, none larger
 * than this fraction of their sum.
 */
export const SLICE_WINDOW_MS = DAY_MS;
export const SLICE_MIN_COUNT = 5;
export const SLICE_MAX_SHARE = 0.4;
/** The sum must be at least this multiple of the capture floor. */
export const SLICE_MIN_FLOORS = 2;
/** This many slices get the full slicing part. */
export const SLICE_FULL_COUNT = 30;
export const SLICED_WEIGHTS = { size: 0.7, slicing: 0.3 } as const;

/** Amounts at which each explore signal is 1. */
export const FULL_VOLUME_USD = 10_000_000;
export const FULL_DAY_VOLUME_USD = 1_000_000;
export const FULL_LARGE_TRADES = 100;
export const FULL_LIQUIDITY_USD = 1_000_000;
export const FULL_SHARP_FLOW_USD = 1_000_000;
/** Half-life of the recency signal. */
export const RECENCY_HALF_LIFE_HOURS = 24;
/** A price move of this size within 24 hours gives a signal of 1. */
export const FULL_PRICE_MOVE = 0.2;
/** Deduction from the discover score of a market without a price. */
export const MISSING_PRICE_PENALTY = 0.5;

/**
 * Below this amount of graded money, or this distance from the price, there is no smart side. Source: the
 * contract.
 */
export const LEAN_MIN_USD = 500;
export const LEAN_MIN_POINTS = 0.1;

/**
 * Fills below a hundredth of a share do not count for candles: rounding their dollars to the millionth
 * changes the price in its fourth decimal.
 */
export const CANDLE_MIN_SHARES_MICRO = 10_000n;

/** Absolute net flow of traders graded S, A or B, in dollars, at which an alert is published, by window. */
export const FLOW_ALERT_USD = { "1h": 25_000, "4h": 50_000, "24h": 100_000, "7d": 250_000 } as const;
/** A flow that stays above this percentage of the threshold belongs to the same alert. */
export const FLOW_ALERT_RELEASE_PERCENT = 80n;
/** The lowest grade included in an alert. Source: the contract's sharp cohort. */
export const FLOW_ALERT_GRADE_FLOOR = "B" as const;
