import { valueAt } from "./decimal.ts";
import { settledResult, type AuditPosition } from "./fold.ts";
import { priceOf, type MarketFacts, type OutcomeFacts, type Price } from "./price.ts";
import type { LedgerSnapshot } from "./ledger-mirror.ts";

/** An open position in an outcome whose market has not paid out. */
export interface OpenPosition {
  readonly position: AuditPosition;
  readonly market: MarketFacts;
  readonly outcome: OutcomeFacts;
  readonly isCombination: boolean;
  /** A combination that is not known: no result of it counts. */
  readonly isExcluded: boolean;
  readonly price: Price | null;
  /** Null without a price. */
  readonly value: bigint | null;
}

export interface DayFigures {
  pnl: bigint;
  volume: bigint;
  /** Markets with a purchase or sale. */
  readonly markets: Set<number>;
  /** All parts of a recorded day. A day whose parts are all zero is dropped. */
  readonly parts: {
    realized: bigint;
    settled: bigint;
    fees: bigint;
    rebates: bigint;
    rewards: bigint;
    entries: number;
  };
}

export interface TraderAuditFigures {
  /** With fees and rebates, without unknown combinations. */
  readonly realized: bigint;
  readonly volume: bigint;
  /** Dollars of trades in unknown combinations; included in `volume`. */
  readonly combinationVolume: bigint;
  /** The number of unknown combinations ever traded; included in `traded`. */
  readonly combinations: number;
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
  readonly open: readonly OpenPosition[];
  readonly openCost: bigint;
  /** Realized by open positions, less fees. */
  readonly openRealized: bigint;
  /** Null while an open position has no price. */
  readonly unrealized: bigint | null;
  /** Shares sold without a recorded acquisition, unknown combinations excluded. */
  readonly unmatched: bigint;
  readonly lastMs: number | null;
  /** Oldest first. */
  readonly days: readonly (readonly [day: string, figures: DayFigures])[];
}

/**
 * A combination of markets has an id of 31 bytes that begins with 03. The provider has no object for it, so that
 * no list of markets shows it.
 */
export const isCombination = ({ conditionId }: Pick<MarketFacts, "conditionId">): boolean =>
  conditionId.length === 64 && conditionId.startsWith("0x03");

/**
 * How complete a trader's history is. `gaps`: positions and profit are unknown. `partial`: they are known,
 * except for unknown combinations and unmatched shares.
 */
export type History = "untracked" | "pending" | "gaps" | "partial" | "complete";

const COMBINATION_GAP = "combination";

/** Complete means: read to the end, no gaps, no unmatched shares and no unknown combinations. */
export function historyOf(
  moment: LedgerSnapshot,
  traderId: number,
  { unmatched, combinations }: TraderAuditFigures,
): History {
  const trader = moment.trader(traderId);
  if (trader === undefined || !trader.followed) return "untracked";
  if (trader.completeAt === null) return "pending";
  if (trader.gaps.some((gap) => gap !== COMBINATION_GAP)) return "gaps";
  return trader.gaps.length > 0 || unmatched > 0n || combinations > 0 ? "partial" : "complete";
}

/** Whether positions and profit in ordinary markets follow from the recorded history. */
export const isKnown = (history: History): boolean => history === "partial" || history === "complete";

const cache = new WeakMap<LedgerSnapshot, Map<number, TraderAuditFigures>>();

/** All figures that follow from a trader's entries and the markets' results and prices. */
export function traderFiguresOf(moment: LedgerSnapshot, traderId: number): TraderAuditFigures {
  const ofMoment = cache.get(moment) ?? new Map<number, TraderAuditFigures>();
  cache.set(moment, ofMoment);
  const known = ofMoment.get(traderId);
  if (known !== undefined) return known;
  const figures = foldTrader(moment, traderId);
  ofMoment.set(traderId, figures);
  return figures;
}

interface SettledHolding {
  readonly holding: AuditPosition;
  readonly market: MarketFacts;
  readonly isExcluded: boolean;
  readonly settled: bigint | null;
}

function foldTrader(moment: LedgerSnapshot, traderId: number): TraderAuditFigures {
  const { positions, rebates, rewards } = moment.fold(traderId);
  const settled: SettledHolding[] = [];
  const open: OpenPosition[] = [];
  for (const holding of positions.values()) {
    const market = moment.market(holding.marketId);
    const outcome = market?.outcomes.find(({ id }) => id === holding.outcomeId);
    if (market === undefined || outcome === undefined)
      throw new Error(`outcome ${holding.outcomeId} belongs to no market`);
    const excluded = market.isUnknownCombo;
    const payout = excluded || outcome.index === null ? undefined : market.payoutsPpm?.[outcome.index];
    settled.push({
      holding,
      market,
      isExcluded: excluded,
      settled: payout === undefined ? null : settledResult(holding, payout),
    });
    if (payout !== undefined || holding.shares === 0n) continue;
    const price = priceOf(market, outcome, moment.newestFill(outcome.id), moment.atMs);
    open.push({
      position: holding,
      market,
      outcome,
      isCombination: isCombination(market),
      isExcluded: excluded,
      price,
      value: price && valueAt(holding.shares, price.value),
    });
  }
  const days = daysOf(settled, rebates, rewards);
  const ordinaryOpen = open.filter((held) => !held.isExcluded);
  const times = [...positions.values()].map(({ lastMs }) => lastMs);
  return {
    realized: days.reduce((sum, [, { pnl }]) => sum + pnl, 0n),
    volume: settled.reduce((sum, { holding }) => sum + holding.volume, 0n),
    combinationVolume: settled.reduce((sum, { holding, isExcluded: is }) => sum + (is ? holding.volume : 0n), 0n),
    combinations: new Set(settled.flatMap(({ market, isExcluded: is }) => (is ? [market.id] : []))).size,
    ...countMarkets(settled),
    open,
    openCost: ordinaryOpen.reduce((sum, { position }) => sum + position.cost, 0n),
    openRealized: ordinaryOpen.reduce((sum, { position }) => sum + position.realized - position.fees, 0n),
    unrealized: ordinaryOpen.reduce<bigint | null>(
      (sum, { position, value }) => (sum === null || value === null ? null : sum + value - position.cost),
      0n,
    ),
    unmatched: settled.reduce((sum, { holding, isExcluded: is }) => sum + (is ? 0n : holding.unmatched), 0n),
    lastMs: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    days,
  };
}

/**
 * A market has resolved once all its outcomes ever traded have paid; it is won or lost when no share is
 * unmatched.
 */
function countMarkets(
  settled: readonly SettledHolding[],
): Pick<TraderAuditFigures, "traded" | "resolved" | "won" | "decided"> {
  const markets = [...Map.groupBy(settled, ({ market }) => market.id).values()];
  const resolved = markets.filter((of) => of.every((one) => one.settled !== null));
  const results = resolved
    .filter((of) => of.every(({ holding }) => holding.unmatched === 0n))
    .map((of) => of.reduce((sum, one) => sum + one.holding.realized + (one.settled ?? 0n) - one.holding.fees, 0n));
  return {
    traded: markets.length,
    resolved: resolved.length,
    won: results.filter((result) => result > 0n).length,
    decided: results.filter((result) => result !== 0n).length,
  };
}

function daysOf(
  settled: readonly SettledHolding[],
  rebates: ReadonlyMap<string, bigint>,
  rewards: ReadonlyMap<string, bigint>,
): [string, DayFigures][] {
  const days = new Map<string, DayFigures>();
  const on = (day: string): DayFigures => {
    const known = days.get(day);
    if (known !== undefined) return known;
    const parts = { realized: 0n, settled: 0n, fees: 0n, rebates: 0n, rewards: 0n, entries: 0 };
    const fresh: DayFigures = { pnl: 0n, volume: 0n, markets: new Set<number>(), parts };
    days.set(day, fresh);
    return fresh;
  };
  for (const { holding, market, isExcluded: excluded, settled: result } of settled) {
    for (const [day, made] of holding.days) {
      const figures = on(day);
      figures.volume += made.volume;
      figures.parts.entries += made.entries;
      if (made.traded) figures.markets.add(market.id);
      if (excluded) continue;
      figures.parts.realized += made.realized;
      figures.parts.fees += made.fees;
    }
    if (result !== null && result !== 0n) on(market.settledOn ?? "unknown").parts.settled += result;
  }
  for (const [day, usd] of rebates) on(day).parts.rebates += usd;
  for (const [day, usd] of rewards) on(day).parts.rewards += usd;
  for (const figures of days.values()) {
    const { realized, settled: paid, fees, rebates: rebated } = figures.parts;
    figures.pnl = realized + paid - fees + rebated;
  }
  const hasAny = ({ volume, parts }: DayFigures) =>
    volume !== 0n ||
    parts.entries > 0 ||
    [parts.realized, parts.settled, parts.fees, parts.rebates, parts.rewards].some((part) => part !== 0n);
  return [...days].filter(([, figures]) => hasAny(figures)).sort(([a], [b]) => (a < b ? -1 : 1));
}
