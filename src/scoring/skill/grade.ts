import { estimateSkill, type SkillEstimate } from "./estimate-skill.ts";
import type { SkillEvidence } from "./evidence.ts";
import { normalCdf } from "./normal-cdf.ts";
import { letterOf, type Letter } from "./letter.ts";
import { MIN_CLUSTERS, POINTS_PER_LOGIT, SCORE_DECIMALS } from "./parameters.ts";
import { isEnoughEvidence, type SkillPopulation } from "./population.ts";

/** Why a trader has no letter grade. */
export type UngradedReason = "population_unknown" | "too_few_markets" | "too_little_information";

export interface GradeResult {
  /**
   * 0 to 100, two decimals: the expected edge of the next bet over its price; 50 is exactly the price. Null
   * when ungraded.
   */
  readonly score: number | null;
  readonly grade: Letter | null;
  /** Null when graded. */
  readonly reason: UngradedReason | null;
  /**
   * 0 to 100, two decimals: the probability in percent that the trader's true edge is above zero. Null when
   * ungraded.
   */
  readonly forecastScore: number | null;
  /** The weight of the trader's own record in the forecast, 0 to 1. Null without a population. */
  readonly forecastEvidence: number | null;
  /** The figures that explain those above. Null without a population. */
  readonly components: GradeComponents | null;
}

export interface GradeComponents extends SkillEstimate {
  readonly clusters: number;
  readonly bets: number;
}

/**
 * Computes a trader's grade from its settled bets and from the population of the same date. Source: our own
 * design, version 4.
 *
 * @param previous the published letter of this version of the method; null without one
 */
export function gradeOf(
  evidence: SkillEvidence,
  population: SkillPopulation | null,
  previous: Letter | null = null,
): GradeResult {
  if (population === null)
    return { ...UNGRADED, reason: "population_unknown", forecastEvidence: null, components: null };
  const estimate = estimateSkill(evidence, population);
  const components = { ...estimate, clusters: evidence.clusters, bets: evidence.bets };
  const forecastEvidence = roundTo(estimate.ownShare, 4);
  if (!isEnoughEvidence(evidence)) {
    const reason = evidence.clusters < MIN_CLUSTERS ? "too_few_markets" : "too_little_information";
    return { ...UNGRADED, reason, forecastEvidence, components };
  }
  const score = scoreOfPoints(estimate.expectedPoints);
  const forecastScore = roundTo(100 * normalCdf(estimate.expectedPoints / estimate.deviationPoints), SCORE_DECIMALS);
  return {
    score,
    grade: letterOf(score, forecastScore, previous),
    reason: null,
    forecastScore,
    forecastEvidence,
    components,
  };
}

const UNGRADED = { score: null, grade: null, forecastScore: null } as const;

/** 0 to 100, rounded to two decimals: 100 / (1 + exp(-points)). */
export function scoreOfPoints(points: number): number {
  return roundTo(100 / (1 + Math.exp(-points / POINTS_PER_LOGIT)), SCORE_DECIMALS);
}

const roundTo = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;
