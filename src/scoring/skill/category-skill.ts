import { studentQuantile975 } from "./student-quantile.ts";

/** Must change with every change of the definitions below. */
export const CATEGORY_SKILL_VERSION = "category-skill-3";

/**
 * Minimum number of independent events for an estimate. Source: our own design, the same minimum as for a
 * grade.
 */
export const CATEGORY_MIN_EVENTS = 10;

/** One outcome that a trader bought, in a market of the category. */
export interface BoughtOutcome {
  /** Outcomes that move together: the event of the market, or the market where no event is known. */
  readonly cluster: number;
  readonly marketId: number;
  /** Dollars paid and shares bought; millionths, both above 0. */
  readonly boughtUsdMicro: number;
  readonly boughtSharesMicro: number;
  /** Payout per share, 0 to 1; null until the market has resolved. */
  readonly payout: number | null;
  /** The sums of the market's settled bets (`ClusterSums`); null while they are not counted. */
  readonly bets: { readonly usdMicro: number; readonly edgeMicro: number } | null;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

type ResolvedOutcome = BoughtOutcome & { readonly payout: number };

const isResolved = (outcome: BoughtOutcome): outcome is ResolvedOutcome => outcome.payout !== null;

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
 * @param outcomes at least one
 * Source: our own design, version 3. Clustering as in the grading method; Student's interval; Brier (1950).
 */
export function categorySkill(outcomes: readonly BoughtOutcome[]): CategorySkill {
  const resolved = outcomes.filter(isResolved);
  const isCounted = resolved.every((outcome) => outcome.bets !== null);
  const events = [...Map.groupBy(resolved, ({ cluster }) => cluster).values()].flatMap(
    (group) => observeEvent(group) ?? [],
  );
  const status = !isCounted ? "degraded" : events.length < CATEGORY_MIN_EVENTS ? "insufficient" : "live";
  return {
    status,
    events: events.length,
    resolvedMarkets: new Set(resolved.map(({ marketId }) => marketId)).size,
    unresolvedOutcomes: outcomes.length - resolved.length,
    estimate: status === "live" ? estimate(events) : null,
    firstAtMs: outcomes.reduce((first, { firstAtMs }) => Math.min(first, firstAtMs), Infinity),
    lastAtMs: outcomes.reduce((last, { lastAtMs }) => Math.max(last, lastAtMs), -Infinity),
  };
}

interface EventObservation {
  readonly edge: number;
  readonly brier: number;
}

/** @returns null for an event without counted dollars (all bets below a millionth) */
function observeEvent(outcomes: readonly ResolvedOutcome[]): EventObservation | null {
  const markets = new Map(outcomes.map(({ marketId, bets }) => [marketId, bets]));
  let usd = 0;
  let edge = 0;
  for (const bets of markets.values()) {
    usd += bets?.usdMicro ?? 0;
    edge += bets?.edgeMicro ?? 0;
  }
  if (usd <= 0) return null;
  let shares = 0;
  let squares = 0;
  for (const { boughtUsdMicro, boughtSharesMicro, payout } of outcomes) {
    shares += boughtSharesMicro;
    squares += boughtSharesMicro * (boughtUsdMicro / boughtSharesMicro - payout) ** 2;
  }
  return { edge: edge / usd, brier: squares / shares };
}

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
