import { estimateSkill, type SkillEstimate } from "./estimate-skill.ts";
import type { SkillEvidence } from "./evidence.ts";
import { normalCdf } from "./normal-cdf.ts";
import { letterOf, needsRecent, type Letter } from "./letter.ts";
import { MIN_CLUSTERS, POINTS_PER_LOGIT, SCORE_DECIMALS } from "./parameters.ts";
import { isEnoughEvidence, skillSignificance, type SkillPopulation } from "./population.ts";

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
  /** The forecast score of the recent evidence alone, two decimals; null where it was not needed or does not exist. */
  readonly recentForecastScore: number | null;
}

/**
 * Computes a trader's grade from its settled bets and from the population of the same date. Source: our own
 * design, version 6.
 *
 * @param recent the evidence of the last RECENT_DAYS alone; null where `isRecentDecisive` says that it decides nothing
 * @param previous the published letter of this version of the method; null without one
 */
export function gradeOf(
  evidence: SkillEvidence,
  population: SkillPopulation | null,
  recent: SkillEvidence | null,
  previous: Letter | null = null,
): GradeResult {
  if (population === null)
    return { ...UNGRADED, reason: "population_unknown", forecastEvidence: null, components: null };
  const estimate = estimateSkill(evidence, population);
  const recentForecastScore = recent === null ? null : recentForecast(recent, population);
  const components = { ...estimate, clusters: evidence.clusters, bets: evidence.bets, recentForecastScore };
  const forecastEvidence = roundTo(estimate.ownShare, 4);
  if (!isEnoughEvidence(evidence)) {
    const reason = evidence.clusters < MIN_CLUSTERS ? "too_few_markets" : "too_little_information";
    return { ...UNGRADED, reason, forecastEvidence, components };
  }
  const figures = figuresOf(estimate, population);
  return {
    score: figures.score,
    grade: letterOf({ ...figures, recentForecastScore }, previous),
    reason: null,
    forecastScore: figures.forecastScore,
    forecastEvidence,
    components,
  };
}

/**
 * Whether the recent evidence can decide the letter: with the best possible one it would be a letter that needs it. So it is
 * read for few traders only.
 */
export function isRecentDecisive(
  evidence: SkillEvidence,
  population: SkillPopulation | null,
  previous: Letter | null,
): boolean {
  if (population === null || !isEnoughEvidence(evidence)) return false;
  const figures = figuresOf(estimateSkill(evidence, population), population);
  return needsRecent(letterOf({ ...figures, recentForecastScore: 100 }, previous));
}

const figuresOf = (estimate: SkillEstimate, population: SkillPopulation) => ({
  score: scoreOfPoints(estimate.expectedPoints),
  forecastScore: forecastOf(estimate),
  significance: skillSignificance(population),
});

/** @returns null where nothing is at stake */
function recentForecast(recent: SkillEvidence, population: SkillPopulation): number | null {
  const estimate = estimateSkill(recent, population);
  return estimate.rawPoints === null ? null : forecastOf(estimate);
}

const forecastOf = ({ expectedPoints, deviationPoints }: SkillEstimate): number =>
  roundTo(100 * normalCdf(expectedPoints / deviationPoints), SCORE_DECIMALS);

const UNGRADED = { score: null, grade: null, forecastScore: null } as const;

/** 0 to 100, rounded to two decimals: 100 / (1 + exp(-points)). */
export function scoreOfPoints(points: number): number {
  return roundTo(100 / (1 + Math.exp(-points / POINTS_PER_LOGIT)), SCORE_DECIMALS);
}

const roundTo = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;
