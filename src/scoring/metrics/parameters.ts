/*
 * All constants of the trader metrics. Changing one changes published figures. Source, unless stated
 * otherwise: our own design, version 1.
 */

/** Prediction markets trade every day of the week. */
export const DAYS_PER_YEAR = 365;

/** Minimum number of days with a realized result for a ratio over a trailing window. */
export const SHARPE_30D_MIN_DAYS = 10;
export const SHARPE_7D_MIN_DAYS = 4;

/** Highest published profit factor, also used for a record without a loss. Source: the contract. */
export const PROFIT_FACTOR_CAP = 1000;
export const PROFIT_FACTOR_MIN_DECIDED = 5;

/**
 * Edge consistency uses at most this many of the newest days with a result, and needs at least this many.
 * Source: the contract.
 */
export const CONSISTENCY_DAYS = 30;
export const CONSISTENCY_MIN_DAYS = 10;

/** A curve with fewer days with a result has too few points: any line fits them. */
export const SMOOTHNESS_MIN_DAYS = 10;

/**
 * Minimum number of settled markets: with known entry price and payout for the Kelly estimate, decided ones
 * for the halves of a record.
 */
export const KELLY_MIN_MARKETS = 10;
export const HALVES_MIN_MARKETS = 10;

/** In a population of twenty, one trader is five percentile points; smaller populations are not used. */
export const PERCENTILE_MIN_POPULATION = 20;

/** Points of the smart score. Source: the contract. */
export const SMART_WEIGHTS = {
  sharpe: 30,
  profitFactor: 20,
  consistency: 20,
  returnOnCapital: 10,
  smoothness: 10,
  spread: 10,
} as const;
/** The return on capital that earns all of its points (2 is 200 %). Source: the contract. */
export const FULL_RETURN_ON_CAPITAL = 2;

/** Deductions of the copy score, and their thresholds. Source: the contract, except `HIGH_CONCENTRATION`. */
export const COPY_PENALTIES = {
  fewMarkets: 20,
  concentrated: 15,
  oversized: 15,
  heavyLoss: 10,
  inconsistent: 10,
} as const;
export const COPY_MIN_MARKETS = 50;
export const COPY_KELLY_MULTIPLE = 2;
export const COPY_MAX_LOSS = 0.3;
/** Source: "highly concentrated" in the US Horizontal Merger Guidelines of 2010, 5.3 (2,500 of 10,000). */
export const HIGH_CONCENTRATION = 0.25;

/**
 * Minimum number of decided markets for the win rate of a category or a game. Source: the contract
 * (`min_decided_for_win_rate`).
 */
export const MIN_DECIDED_FOR_WIN_RATE = 5;

/**
 * A market counts for a category's strength from this cost on (source: the contract), if entered between
 * these two prices.
 */
export const STRENGTH_MIN_COST_MICRO = 20_000_000n;
export const STRENGTH_MIN_PRICE = 0.05;
export const STRENGTH_MAX_PRICE = 0.95;

/** Length of trailing form in days. Source: the contract. */
export const FORM_DAYS = 7;
/** Minimum percentile of each tier, best first; below the last the tier is cold. */
export const HOT_PERCENTILE = 90;
export const RISING_PERCENTILE = 65;
export const NEUTRAL_PERCENTILE = 35;
export const COOLING_PERCENTILE = 10;

/** Fewer fills are too few to classify behaviour. */
export const STRATEGY_MIN_FILLS = 20;
/** Minimum number of markets for shares of markets and categories. */
export const STRATEGY_MIN_MARKETS = 5;
/** Fraction of a trader's markets in which it held both outcomes. */
export const TWO_SIDED_SHARE = 0.3;
/** Fills on an average active day. */
export const HIGH_ACTIVITY_FILLS_PER_DAY = 50;
/** Fraction of cost in the leading category. */
export const FOCUSED_SHARE = 0.7;
/** Effective number of categories (1 / Herfindahl). */
export const DIVERSIFIED_CATEGORIES = 3;
/** Categories are evaluated when at least this fraction of cost has one. */
export const KNOWN_CATEGORY_SHARE = 0.5;
