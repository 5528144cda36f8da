/*
 * All constants of the grading method. Changing one changes published grades and requires a new
 * METHOD_VERSION; docs/methodology.md explains why. Source of all: our own design, version 7, selected with
 * `npm run study`.
 */

export const METHOD_VERSION = "skill-7";

/**
 * Statistics are summed as integers in units of 1 / PARTS, so that sums are exact, independent of order, and
 * reversible.
 */
export const PARTS = 1_000_000_000;
/** Dollars are summed in millionths. */
export const MICRO = 1_000_000;

/**
 * A cluster with at least this many dollars between its worst and its best result has full weight, a smaller one a
 * proportional weight, so that dust does not build a record. At even odds that is a purchase for 100 dollars.
 */
export const FULL_WEIGHT_USD = 200;
/**
 * Information (see `SkillEvidence.information`) at which the measured spread of a trader's clusters and the
 * spread implied by prices have equal weight.
 */
export const SPREAD_TRUST_INFORMATION = 5;

/** Below either minimum there is no letter. One cluster bought at even odds has 0.25 of information. */
export const MIN_CLUSTERS = 10;
export const MIN_INFORMATION = 1;
/** Minimum number of traders above those minimums for a population to shrink toward. */
export const MIN_POPULATION = 100;
/**
 * The prior of a population: mean and variance of relative edge, each with its standard deviation. Takers pay
 * 1.12 % of the price, half a point at even odds, which is a relative edge of -0.02. The groups of traders in
 * a published grading are six points apart, from +1.73 to -4.14: a deviation of skill near 0.1, which is a
 * variance of 0.01.
 */
export const PRIOR_MEAN = -0.02;
export const PRIOR_MEAN_DEVIATION = 0.02;
export const PRIOR_VARIANCE = 0.01;
export const PRIOR_VARIANCE_DEVIATION = 0.01;
/**
 * The prior of a population's story correlation: events of one series and night are independent, as games of a league
 * are, unless the population shows that they are not.
 */
export const PRIOR_STORY_CORRELATION = 0;
export const PRIOR_STORY_CORRELATION_DEVIATION = 0.2;
/**
 * The close of a market: the last prices of so many other traders, of at least so many, from at most so long before it.
 * Half a day, because a game that few trade may have its last trades hours before the kickoff.
 */
export const CLOSE_TRADERS = 10;
export const MIN_CLOSE_TRADERS = 3;
/** So many last sides of trades are examined for them. */
export const CLOSE_TRADES = 100;
export const CLOSE_WINDOW_SECONDS = 12 * 3600;
/** Below either minimum a trader's closing lines do not count: two clusters have a pair, whose product has no luck. */
export const MIN_CLOSE_CLUSTERS = 2;
export const MIN_CLOSE_INFORMATION = 0.25;
/**
 * The prior of a population's closing lines. Takers pay half a point at even odds to the close too. That closing lines
 * differ between traders half as much as skill does, and that they say nothing about results, are our own assumptions:
 * the population has to show that they do.
 */
export const PRIOR_CLOSE_MEAN = -0.02;
export const PRIOR_CLOSE_MEAN_DEVIATION = 0.02;
export const PRIOR_CLOSE_VARIANCE = 0.005;
export const PRIOR_CLOSE_VARIANCE_DEVIATION = 0.005;
export const PRIOR_CLOSE_COVARIANCE = 0;
export const PRIOR_CLOSE_COVARIANCE_DEVIATION = 0.005;
/**
 * The largest correlation that is used of skill with closing lines, and of the luck in both: at 1 a single closing line
 * would prove skill.
 */
export const MAX_SKILL_CORRELATION = 0.99;
export const MAX_LUCK_CORRELATION = 0.95;
/** Mean and variance of a population are published, stored and used with this many decimals. */
export const POPULATION_DECIMALS = 6;

/**
 * The expected edge, in points, of one logistic unit of score: 1 point above zero scores 73.1, 2 points 88.1.
 */
export const POINTS_PER_LOGIT = 1;
/** Scores are published with this many decimals. */
export const SCORE_DECIMALS = 2;
/** A score is republished when it moves by at least this much. */
export const REPUBLISH_MOVE = 0.5;
/** Evidence is republished when it moves by at least this much (0 to 1). */
export const REPUBLISH_EVIDENCE_MOVE = 0.05;

/** Evidence is recent on the UTC day of its settlement and for so many days after it. */
export const RECENT_DAYS = 90;
/**
 * The letters that need proof also need a population that shows skill: how many standard errors the common skill
 * of a trader's clusters has to be above zero, by results or by closing lines.
 */
export const SIGNIFICANCE_FLOOR = 2;
/**
 * Minimum score of each letter, best first; its minimum forecast score (the probability in percent that the trader's
 * true edge is above zero); and the same of the recent evidence alone. 0 where none is needed. Below the last letter it is
 * F. Selected with seeds 1 to 8 of the base world and of the board; docs/methodology.md reports others.
 */
export const LETTER_FLOORS = [
  ["S", 73, 85, 60],
  ["A", 62, 72, 50],
  ["B", 52, 63, 0],
  ["C", 38, 0, 0],
  ["D", 26, 0, 0],
] as const;
/** A letter changes only when a figure has passed a floor by this much. */
export const SCORE_MARGIN = 2;
export const PROOF_MARGIN = 2;
export const SIGNIFICANCE_MARGIN = 0.25;
