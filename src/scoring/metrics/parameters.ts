/*
 * Every constant of the wallet metrics. Changing one changes published figures. Source, where none is named: our own design, version 1.
 */

/** Prediction markets trade every day of the week. */
export const DAYS_PER_YEAR = 365;

/** Days on which something was realized that a ratio over a trailing window needs. */
export const SHARPE_30D_MIN_DAYS = 10;
export const SHARPE_7D_MIN_DAYS = 4;

/** Highest published profit factor; a record without a loss has this one. Source: the contract. */
export const PROFIT_FACTOR_CAP = 1000;
export const PROFIT_FACTOR_MIN_DECIDED = 5;

/** Edge consistency looks at this many of the newest realized days, and needs so many of them. Source: the contract. */
export const CONSISTENCY_DAYS = 30;
export const CONSISTENCY_MIN_DAYS = 10;

/** A curve with fewer realized days is a few points, and any line fits those. */
export const SMOOTHNESS_MIN_DAYS = 10;

/** Kelly's estimate and the halves of a record need so many settled markets with a known entry price or a result. */
export const KELLY_MIN_MARKETS = 10;
export const HALVES_MIN_MARKETS = 10;

/** One wallet of twenty is five points of percentile; fewer make no population. */
export const PERCENTILE_MIN_POPULATION = 20;

/** Points of the smart score. Source: the contract. */
export const SMART_WEIGHTS = { sharpe: 30, profitFactor: 20, consistency: 20, returnOnCapital: 10, smoothness: 10, spread: 10 } as const;
/** The return on capital that earns all of its points. Source: the contract. */
export const FULL_RETURN_ON_CAPITAL = 2;

/** What the copy score takes off, and when. Source: the contract, but for `HIGH_CONCENTRATION`. */
export const COPY_PENALTIES = { fewMarkets: 20, concentrated: 15, oversized: 15, heavyLoss: 10, inconsistent: 10 } as const;
export const COPY_MIN_MARKETS = 50;
export const COPY_KELLY_MULTIPLE = 2;
export const COPY_MAX_LOSS = 0.3;
/** Source: "highly concentrated" in the US Horizontal Merger Guidelines of 2010, 5.3 (2,500 of 10,000). */
export const HIGH_CONCENTRATION = 0.25;

/** A win rate of a category or a game is given from so many decided markets on. Source: the contract (`min_decided_for_win_rate`). */
export const MIN_DECIDED_FOR_WIN_RATE = 5;

/** A market counts for a category's strength from this cost on (source: the contract), entered at a price between these two. */
export const STRENGTH_MIN_COST_MICRO = 20_000_000n;
export const STRENGTH_MIN_PRICE = 0.05;
export const STRENGTH_MAX_PRICE = 0.95;

/** Trailing form looks at this many days. Source: the contract. */
export const FORM_DAYS = 7;
/** Least percentile of each tier, best first; below the last a wallet is cold. */
export const HOT_PERCENTILE = 90;
export const RISING_PERCENTILE = 65;
export const NEUTRAL_PERCENTILE = 35;
export const COOLING_PERCENTILE = 10;

/** Fewer fills show no behaviour. */
export const STRATEGY_MIN_FILLS = 20;
/** Shares of markets and categories mean something from so many markets on. */
export const STRATEGY_MIN_MARKETS = 5;
/** Share of a wallet's markets in which it held both outcomes. */
export const TWO_SIDED_SHARE = 0.3;
/** Fills on an average active day. */
export const HIGH_ACTIVITY_FILLS_PER_DAY = 50;
/** Share of cost in the leading category. */
export const FOCUSED_SHARE = 0.7;
/** Categories a wallet is spread over as if evenly (1 / Herfindahl). */
export const DIVERSIFIED_CATEGORIES = 3;
/** Categories are judged when this share of cost has one. */
export const KNOWN_CATEGORY_SHARE = 0.5;
