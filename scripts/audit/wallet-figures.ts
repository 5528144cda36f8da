import { valueAt } from "./decimal.ts";
import { settledResult, type Holding } from "./fold.ts";
import { priceOf, type MarketFacts, type OutcomeFacts, type Price } from "./price.ts";
import type { Moment } from "./world.ts";

/** What a wallet holds of an outcome whose market has not paid. */
export interface OpenHolding {
  readonly holding: Holding;
  readonly market: MarketFacts;
  readonly outcome: OutcomeFacts;
  readonly isCombination: boolean;
  readonly price: Price | null;
  /** Null without a price. */
  readonly value: bigint | null;
}

export interface DayFigures {
  pnl: bigint;
  volume: bigint;
  /** Markets with a purchase or sale. */
  readonly markets: Set<number>;
  /** Everything a recorded day has: one of which nothing is left is none. */
  readonly parts: { realized: bigint; settled: bigint; fees: bigint; rebates: bigint; rewards: bigint; entries: number };
}

export interface WalletFigures {
  /** With fees and rebates; combinations of markets make no profit that is known. */
  readonly realized: bigint;
  readonly volume: bigint;
  /** Dollars of trades in combinations, a part of the volume. */
  readonly combinationVolume: bigint;
  /** Combinations it ever held shares of, a part of the markets traded. */
  readonly combinations: number;
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
  readonly open: readonly OpenHolding[];
  readonly openCost: bigint;
  /** What open holdings have realized, fees off. */
  readonly openRealized: bigint;
  /** Null while an open holding has no price. */
  readonly unrealized: bigint | null;
  /** Shares that were sold without having been seen to come, outside of combinations. */
  readonly unmatched: bigint;
  readonly lastMs: number | null;
  /** Oldest first. */
  readonly days: readonly (readonly [day: string, figures: DayFigures])[];
}

/** Combinations of markets have an id of 31 bytes that begins with 03, and no object or result of their own. */
export const isCombination = ({ conditionId }: Pick<MarketFacts, "conditionId">): boolean =>
  conditionId.length === 64 && conditionId.startsWith("0x03");

/**
 * How far a wallet's figures are known. `gaps`: what it holds and made is not. `partial`: it is, but for combinations of markets and for shares that
 * it was never seen to acquire.
 */
export type History = "untracked" | "pending" | "gaps" | "partial" | "complete";

const COMBINATION_GAP = "combination";

/** Complete is only what was read to the end, without gaps, and of which every share's basis and every market's result can be known. */
export function historyOf(moment: Moment, traderId: number, { unmatched, combinations }: WalletFigures): History {
  const wallet = moment.wallet(traderId);
  if (wallet === undefined || !wallet.followed) return "untracked";
  if (wallet.completeAt === null) return "pending";
  if (wallet.gaps.some((gap) => gap !== COMBINATION_GAP)) return "gaps";
  return wallet.gaps.length > 0 || unmatched > 0n || combinations > 0 ? "partial" : "complete";
}

/** Whether what the wallet holds and made in ordinary markets follows from all that it ever did. */
export const isKnown = (history: History): boolean => history === "partial" || history === "complete";

const cache = new WeakMap<Moment, Map<number, WalletFigures>>();

/** Everything that follows from a wallet's entries and the markets' results and prices. */
export function figuresOf(moment: Moment, traderId: number): WalletFigures {
  const ofMoment = cache.get(moment) ?? new Map<number, WalletFigures>();
  cache.set(moment, ofMoment);
  const known = ofMoment.get(traderId);
  if (known !== undefined) return known;
  const figures = foldWallet(moment, traderId);
  ofMoment.set(traderId, figures);
  return figures;
}

interface Settled {
  readonly holding: Holding;
  readonly market: MarketFacts;
  readonly isCombination: boolean;
  readonly settled: bigint | null;
}

function foldWallet(moment: Moment, traderId: number): WalletFigures {
  const { holdings, rebates, rewards } = moment.book(traderId);
  const settled: Settled[] = [];
  const open: OpenHolding[] = [];
  for (const holding of holdings.values()) {
    const market = moment.market(holding.marketId);
    const outcome = market?.outcomes.find(({ id }) => id === holding.outcomeId);
    if (market === undefined || outcome === undefined) throw new Error(`outcome ${holding.outcomeId} belongs to no market`);
    const combination = isCombination(market);
    const payout = combination || outcome.index === null ? undefined : market.payoutsPpm?.[outcome.index];
    settled.push({ holding, market, isCombination: combination, settled: payout === undefined ? null : settledResult(holding, payout) });
    if (payout !== undefined || holding.shares === 0n) continue;
    const price = priceOf(market, outcome, moment.newestFill(outcome.id), moment.atMs);
    open.push({ holding, market, outcome, isCombination: combination, price, value: price && valueAt(holding.shares, price.value) });
  }
  const days = daysOf(settled, rebates, rewards);
  const ordinaryOpen = open.filter((held) => !held.isCombination);
  const times = [...holdings.values()].map(({ lastMs }) => lastMs);
  return {
    realized: days.reduce((sum, [, { pnl }]) => sum + pnl, 0n),
    volume: settled.reduce((sum, { holding }) => sum + holding.volume, 0n),
    combinationVolume: settled.reduce((sum, { holding, isCombination: is }) => sum + (is ? holding.volume : 0n), 0n),
    combinations: new Set(settled.flatMap(({ market, isCombination: is }) => (is ? [market.id] : []))).size,
    ...countMarkets(settled),
    open,
    openCost: ordinaryOpen.reduce((sum, { holding }) => sum + holding.cost, 0n),
    openRealized: ordinaryOpen.reduce((sum, { holding }) => sum + holding.realized - holding.fees, 0n),
    unrealized: ordinaryOpen.reduce<bigint | null>(
      (sum, { holding, value }) => (sum === null || value === null ? null : sum + value - holding.cost),
      0n,
    ),
    unmatched: settled.reduce((sum, { holding, isCombination: is }) => sum + (is ? 0n : holding.unmatched), 0n),
    lastMs: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    days,
  };
}

/** A market has resolved once everything that was ever held there has paid; it is won or lost where the basis of every share is known. */
function countMarkets(settled: readonly Settled[]): Pick<WalletFigures, "traded" | "resolved" | "won" | "decided"> {
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
  settled: readonly Settled[],
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
  for (const { holding, market, isCombination: combination, settled: result } of settled) {
    for (const [day, made] of holding.days) {
      const figures = on(day);
      figures.volume += made.volume;
      figures.parts.entries += made.entries;
      if (made.traded) figures.markets.add(market.id);
      if (combination) continue;
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
