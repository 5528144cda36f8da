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
  previous: Letter | null,
): string {
  return [
    ["method", METHOD_VERSION],
    ["bets", evidence.bets],
    ["clusters", evidence.clusters],
    ["weight", evidence.weight],
    ["edge", evidence.edge],
    ["information", evidence.information],
    ["square_information", evidence.squareInformation],
    ["edge_edge", evidence.edgeEdge],
    ["edge_variance", evidence.edgeVariance],
    ["variance_variance", evidence.varianceVariance],
    ["close_clusters", evidence.closeClusters],
    ["close_edge", evidence.closeEdge],
    ["close_information", evidence.closeInformation],
    ["close_square_information", evidence.closeSquareInformation],
    ["close_edge_edge", evidence.closeEdgeEdge],
    ["close_edge_variance", evidence.closeEdgeVariance],
    ["close_variance_variance", evidence.closeVarianceVariance],
    ["cross_edge_edge", evidence.crossEdgeEdge],
    ["cross_edge_variance", evidence.crossEdgeVariance],
    ["cross_variance_edge", evidence.crossVarianceEdge],
    ["cross_variance_variance", evidence.crossVarianceVariance],
    ["population_wallets", population?.traders ?? "none"],
    ["population_mean", population?.mean ?? "none"],
    ["population_variance", population?.variance ?? "none"],
    ["population_dispersion", population?.dispersion ?? "none"],
    ["population_typical_variance", population?.typicalVariance ?? "none"],
    ["population_close_mean", population?.closing?.mean ?? "none"],
    ["population_close_variance", population?.closing?.variance ?? "none"],
    ["population_close_covariance", population?.closing?.covariance ?? "none"],
    ["population_close_dispersion", population?.closing?.dispersion ?? "none"],
    ["population_cross_dispersion", population?.closing?.crossDispersion ?? "none"],
    ["previous_grade", previous ?? "none"],
  ]
    .map(([name, value]) => `${name} ${value}\n`)
    .join("");
}
