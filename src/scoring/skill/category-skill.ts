import type { CategorySums, EventSums } from "./category-sums.ts";
import { studentQuantile975 } from "./student-quantile.ts";

/** Must change with every change of the definitions below. */
export const CATEGORY_SKILL_VERSION = "category-skill-3";

/**
 * Minimum number of independent events for an estimate. Source: our own design, the same minimum as for a
 * grade.
 */
export const CATEGORY_MIN_EVENTS = 10;

export interface CategorySkill {
  /** `degraded`: the bets of some resolved markets are not counted yet, so the figures would exclude them. */
  readonly status: "live" | "insufficient" | "degraded";
  readonly events: number;
  readonly resolvedMarkets: number;
  /** Outcomes bought in markets that have not resolved. */
  readonly unresolvedOutcomes: number;
  /** Null unless live: withheld, not zero. */
  readonly estimate: CategoryEstimate | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface CategoryEstimate {
  /**
   * Mean over events of payout minus price, -1 to 1: above 0 the trader's side won more often than the prices
   * implied.
   */
  readonly mean: number;
  /** Sample deviation over events, and the standard error of the mean. */
  readonly deviation: number;
  readonly error: number;
  /** Lower end of the 95 % interval of the mean. */
  readonly lower95: number;
  /**
   * Mean over events of the squared difference between average price paid and payout, 0 to 1; even odds give
   * 0.25.
   */
  readonly brier: number;
}

/**
 * Estimates a trader's skill in one category from its purchases. One event is one observation, however many
 * bets it has: for the edge, the mean of payout minus price over its markets, netted (`netMarket`) and weighted by the
 * dollars at stake; for the Brier score, the share-weighted mean of (average price - payout) squared over the outcomes bought.
 * Purchases known to be a maker's are not part of the edge, but of the Brier score.
 *
 * @param sums of at least one outcome
 * Source: our own design, version 3. Clustering as in the grading method; Student's interval; Brier (1950).
 */
export function categorySkill(sums: CategorySums): CategorySkill {
  const events = [...sums.events.values()].flatMap((event) => observeEvent(event) ?? []);
  const status = !sums.isCounted ? "degraded" : events.length < CATEGORY_MIN_EVENTS ? "insufficient" : "live";
  return {
    status,
    events: events.length,
    resolvedMarkets: sums.resolvedMarkets.size,
    unresolvedOutcomes: sums.unresolvedOutcomes,
    estimate: status === "live" ? estimate(events) : null,
    firstAtMs: sums.firstAtMs,
    lastAtMs: sums.lastAtMs,
  };
}

interface EventObservation {
  readonly edge: number;
  readonly brier: number;
}

/** @returns null for an event without counted dollars (all bets below a millionth) */
const observeEvent = ({ usdMicro, edgeMicro, sharesMicro, squares }: EventSums): EventObservation | null =>
  usdMicro <= 0 ? null : { edge: edgeMicro / usdMicro, brier: squares / sharesMicro };

function estimate(events: readonly EventObservation[]): CategoryEstimate {
  const count = events.length;
  const mean = events.reduce((sum, { edge }) => sum + edge, 0) / count;
  const deviation = Math.sqrt(events.reduce((sum, { edge }) => sum + (edge - mean) ** 2, 0) / (count - 1));
  const error = deviation / Math.sqrt(count);
  return {
    mean,
    deviation,
    error,
    lower95: mean - studentQuantile975(count - 1) * error,
    brier: events.reduce((sum, { brier }) => sum + brier, 0) / count,
  };
}
