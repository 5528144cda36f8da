/*
 * Every constant of the grading method. Changing one changes published grades: METHOD_VERSION moves with it, and docs/methodology.md says
 * why. Source of all: our own design, version 2, chosen by `npm run study`.
 */

export const METHOD_VERSION = "skill-2";

/** Statistics are summed as integers of this many parts, so that sums are exact, order-free and can be taken back. */
export const PARTS = 1_000_000_000;
/** Dollars are summed in millionths. */
export const MICRO = 1_000_000;

/** A cluster with at least this many dollars at stake counts in full, a smaller one in proportion: a record of dust is no record. */
export const FULL_WEIGHT_USD = 100;
/** Information (see `SkillEvidence.information`) at which the measured spread of a wallet's clusters is trusted as much as the prices' own. */
export const SPREAD_TRUST_INFORMATION = 5;

/** Below either no letter is given. One cluster bought at even odds carries 0.25 of information. */
export const MIN_CLUSTERS = 10;
export const MIN_INFORMATION = 1;
/** A population of fewer wallets above those minimums tells nothing that one could shrink toward. */
export const MIN_POPULATION = 100;
/**
 * What is believed of a population before any of it is seen: mean and variance of relative edge, each with its standard deviation. Takers pay
 * 1.12 % of the price, half a point at even odds, which is a relative edge of -0.02. Groups of wallets of a published grading lie six points
 * apart, from +1.73 to -4.14: a deviation of skill near 0.1, which is a variance of 0.01.
 */
export const PRIOR_MEAN = -0.02;
export const PRIOR_MEAN_DEVIATION = 0.02;
export const PRIOR_VARIANCE = 0.01;
export const PRIOR_VARIANCE_DEVIATION = 0.01;
/** Mean and variance of a population are published, stored and used with this many decimals. */
export const POPULATION_DECIMALS = 6;

/** Expected edge, in points, that moves the score by one logistic unit: 1 point above zero scores 73.1, 2 points 88.1. */
export const POINTS_PER_LOGIT = 1;
/** Scores are published with this many decimals. */
export const SCORE_DECIMALS = 2;
/** Published scores follow a move of at least this much. */
export const REPUBLISH_MOVE = 0.5;
/** Evidence is republished when it moves at least this much (0 to 1). */
export const REPUBLISH_EVIDENCE_MOVE = 0.05;

/** Least score of each letter, best first: expected edges of about +1, +0.5, +0.15, -0.25 and -0.75 points. What is below the last is F. */
export const LETTER_FLOORS = [
  ["S", 73],
  ["A", 62],
  ["B", 54],
  ["C", 44],
  ["D", 32],
] as const;
