import { estimateSkill, type SkillEstimate } from "../../src/scoring/skill/estimate-skill.ts";
import type { SkillEvidence } from "../../src/scoring/skill/evidence.ts";
import { estimatePopulation } from "../../src/scoring/skill/population.ts";
import type { Variant, TraderRecord } from "./trader-record.ts";
import { nth } from "./nth.ts";

/** A method of ranking traders, best first, from what had settled. */
export interface Estimator {
  readonly name: string;
  readonly title: string;
  /**
   * Called at each refresh with all traders of that time.
   *
   * @returns the value of a trader, larger is better; null when unknown
   */
  readonly fit: (records: readonly TraderRecord[], at: number) => (record: TraderRecord) => number | null;
}

/** The estimator whose letters the product publishes. All others are cut into letters of the same sizes. */
export const PUBLISHED = "skill";

export const ESTIMATORS: readonly Estimator[] = [
  {
    name: "profit_composite",
    title: "realized profit composite (95 % profit; win rate, volume, markets, recency)",
    fit: (records, at) => {
      const ranks = [
        [0.95, rankShare(records, (record) => record.profitUsd)],
        [0.02, rankShare(records, (record) => record.wins / record.purchases)],
        [0.01, rankShare(records, (record) => record.volumeUsd)],
        [0.01, rankShare(records, (record) => record.evidence.published.clusters)],
        [0.01, rankShare(records, (record) => record.lastSettledAt - at)],
      ] as const;
      return (record) => ranks.reduce((sum, [weight, rankOf]) => sum + weight * rankOf(record), 0);
    },
  },
  {
    name: "win_rate",
    title: "win rate",
    fit: () => (record) => (record.purchases === 0 ? null : record.wins / record.purchases),
  },
  {
    name: "raw_edge",
    title: "raw edge (mean of won minus price over bets)",
    fit: () => (record) => (record.purchases === 0 ? null : record.edge / record.purchases),
  },
  shrunken("bet_skill", "shrunken edge, every bet treated as independent", "by_bet", expected),
  shrunken("market_skill", "shrunken edge, clustered by market only", "by_market", expected),
  shrunken("sales_skill", "shrunken clustered edge, sales counted as bets on the other side", "with_sales", expected),
  shrunken("relative_skill", "shrunken clustered edge, relative to the price's own variance", "published", relative),
  shrunken("bound_skill", "shrunken clustered edge less 1.64 deviations", "published", bound),
  shrunken(PUBLISHED, "shrunken clustered edge", "published", expected),
];

function expected(estimate: SkillEstimate): number {
  return estimate.expectedPoints;
}

function relative(estimate: SkillEstimate, evidence: SkillEvidence): number {
  return (estimate.expectedPoints * evidence.weight) / Math.max(1, evidence.information);
}

function bound(estimate: SkillEstimate): number {
  return estimate.expectedPoints - 1.64 * estimate.deviationPoints;
}

function shrunken(
  name: string,
  title: string,
  variant: Variant,
  valueOf: (estimate: SkillEstimate, evidence: SkillEvidence) => number,
): Estimator {
  return {
    name,
    title,
    fit(records) {
      const population = estimatePopulation(records.map((record) => record.evidence[variant]));
      if (population === null) return () => null;
      return ({ evidence }) => valueOf(estimateSkill(evidence[variant], population), evidence[variant]);
    },
  };
}

/** A trader's rank among those of the refresh, 0 to 1. */
function rankShare(
  records: readonly TraderRecord[],
  valueOf: (record: TraderRecord) => number,
): (record: TraderRecord) => number {
  const sorted = Float64Array.from(records, valueOf).sort();
  return (record) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nth(sorted, middle) < valueOf(record)) low = middle + 1;
      else high = middle;
    }
    return sorted.length === 0 ? 0 : low / sorted.length;
  };
}
