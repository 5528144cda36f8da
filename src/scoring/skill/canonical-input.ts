import type { SkillEvidence } from "./evidence.ts";
import type { Letter } from "./letter.ts";
import { METHOD_VERSION } from "./parameters.ts";
import type { SkillPopulation } from "./population.ts";

/**
 * The complete input of a grade as one text: equal inputs give equal bytes. Its SHA-256 is stored with each
 * grade change, so that a stored grade can be verified against stored evidence.
 *
 * Form: lines of `name value`, in this order, each ended by a line feed. Numbers are written as in JSON.
 */
export function canonicalGradeInput(
  evidence: SkillEvidence,
  population: SkillPopulation | null,
  recent: SkillEvidence | null,
  previous: Letter | null,
): string {
  return [
    ["method", METHOD_VERSION],
    ...NAMES.map(([field, name]) => [name, evidence[field]]),
    ["population_wallets", population?.traders ?? "none"],
    ["population_mean", population?.mean ?? "none"],
    ["population_variance", population?.variance ?? "none"],
    ["population_dispersion", population?.dispersion ?? "none"],
    ["population_typical_variance", population?.typicalVariance ?? "none"],
    ["population_significance", population?.significance ?? "none"],
    ["population_close_mean", population?.closing?.mean ?? "none"],
    ["population_close_variance", population?.closing?.variance ?? "none"],
    ["population_close_covariance", population?.closing?.covariance ?? "none"],
    ["population_close_significance", population?.closing?.significance ?? "none"],
    ["population_close_dispersion", population?.closing?.dispersion ?? "none"],
    ["population_cross_dispersion", population?.closing?.crossDispersion ?? "none"],
    ["population_story_correlation", population?.storyCorrelation ?? "none"],
    ...(recent === null ? [["recent", "none"]] : NAMES.map(([field, name]) => [`recent_${name}`, recent[field]])),
    ["previous_grade", previous ?? "none"],
  ]
    .map(([name, value]) => `${name} ${value}\n`)
    .join("");
}

const NAMES = [
  ["bets", "bets"],
  ["clusters", "clusters"],
  ["weight", "weight"],
  ["edge", "edge"],
  ["information", "information"],
  ["squareInformation", "square_information"],
  ["edgeEdge", "edge_edge"],
  ["edgeVariance", "edge_variance"],
  ["varianceVariance", "variance_variance"],
  ["closeClusters", "close_clusters"],
  ["closeEdge", "close_edge"],
  ["closeInformation", "close_information"],
  ["closeSquareInformation", "close_square_information"],
  ["closeEdgeEdge", "close_edge_edge"],
  ["closeEdgeVariance", "close_edge_variance"],
  ["closeVarianceVariance", "close_variance_variance"],
  ["crossEdgeEdge", "cross_edge_edge"],
  ["crossEdgeVariance", "cross_edge_variance"],
  ["crossVarianceEdge", "cross_variance_edge"],
  ["crossVarianceVariance", "cross_variance_variance"],
  ["storyEdgeEdge", "story_edge_edge"],
  ["storyEdgeVariance", "story_edge_variance"],
  ["storyVarianceVariance", "story_variance_variance"],
  ["storyInformation", "story_information"],
] as const satisfies readonly (readonly [keyof SkillEvidence, string])[];
