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

/** The resolved outcomes of one event. */
export interface EventSums {
  /** Of the settled bets, each market once. */
  usdMicro: number;
  edgeMicro: number;
  sharesMicro: number;
  /** Sum of shares times (average price - payout) squared. */
  squares: number;
}

/** What the skill in one category needs of a trader's purchases. */
export interface CategorySums {
  /** By cluster, in the order of their first resolved outcomes. */
  readonly events: Map<number, EventSums>;
  readonly resolvedMarkets: Set<number>;
  unresolvedOutcomes: number;
  /** The bets of all resolved markets are counted. */
  isCounted: boolean;
  firstAtMs: number;
  lastAtMs: number;
}

export const emptyCategory = (): CategorySums => ({
  events: new Map(),
  resolvedMarkets: new Set(),
  unresolvedOutcomes: 0,
  isCounted: true,
  firstAtMs: Infinity,
  lastAtMs: -Infinity,
});

/** Adds an outcome. The order of outcomes decides the last digits of `squares` and of sums over the events. */
export function addBoughtOutcome(sums: CategorySums, outcome: BoughtOutcome): void {
  const { marketId, boughtUsdMicro, boughtSharesMicro, payout, bets } = outcome;
  sums.firstAtMs = Math.min(sums.firstAtMs, outcome.firstAtMs);
  sums.lastAtMs = Math.max(sums.lastAtMs, outcome.lastAtMs);
  if (payout === null) {
    sums.unresolvedOutcomes += 1;
    return;
  }
  const event = eventOf(sums, outcome.cluster);
  if (bets === null) sums.isCounted = false;
  // Both outcomes of a market have the same bets.
  else if (!sums.resolvedMarkets.has(marketId)) {
    event.usdMicro += bets.usdMicro;
    event.edgeMicro += bets.edgeMicro;
  }
  sums.resolvedMarkets.add(marketId);
  event.sharesMicro += boughtSharesMicro;
  event.squares += boughtSharesMicro * (boughtUsdMicro / boughtSharesMicro - payout) ** 2;
}

function eventOf(sums: CategorySums, cluster: number): EventSums {
  const known = sums.events.get(cluster);
  if (known !== undefined) return known;
  const event: EventSums = { usdMicro: 0, edgeMicro: 0, sharesMicro: 0, squares: 0 };
  sums.events.set(cluster, event);
  return event;
}
