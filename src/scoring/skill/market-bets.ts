import type { ClusterSums, NetSums } from "./cluster-sums.ts";

/**
 * All purchases of one trader in one resolved market: what they cost, and what they return in each outcome. Those as
 * maker are apart: they are no bets, but they may be the other side of one.
 */
export interface MarketBets {
  readonly bets: number;
  /** Millionths of a dollar paid. */
  readonly usdMicro: number;
  /** Millionths of shares bought, by outcome; an outcome without purchases may be missing. */
  readonly sharesMicro: readonly number[];
  /** The same of purchases as maker. */
  readonly makerSharesMicro: readonly number[];
  /** Payout per share, 0 to 1, by outcome; used where shares were bought. */
  readonly payouts: readonly number[];
}

export const NO_BETS: MarketBets = { bets: 0, usdMicro: 0, sharesMicro: [], makerSharesMicro: [], payouts: [] };

/** A purchase in one market. */
export interface MarketBet {
  readonly outcome: number;
  readonly sharesMicro: number;
  readonly usdMicro: number;
  readonly payout: number;
  /** Whether it is known to be a maker's. A purchase of an unknown role counts like a taker's. */
  readonly isMaker?: boolean;
}

/** Adds a purchase. */
export function addBet(market: MarketBets, bet: MarketBet): MarketBets {
  const { outcome, sharesMicro, usdMicro, payout } = bet;
  if (bet.isMaker) return { ...market, makerSharesMicro: addAt(market.makerSharesMicro, outcome, sharesMicro) };
  return {
    ...market,
    bets: market.bets + 1,
    usdMicro: market.usdMicro + usdMicro,
    sharesMicro: addAt(market.sharesMicro, outcome, sharesMicro),
    payouts: set(market.payouts, outcome, payout),
  };
}

const addAt = (values: readonly number[], index: number, value: number): number[] =>
  set(values, index, (values[index] ?? 0) + value);

function set(values: readonly number[], index: number, value: number): number[] {
  return Array.from({ length: Math.max(values.length, index + 1) }, (_, at) =>
    at === index ? value : (values[at] ?? 0),
  );
}

/**
 * Nets a trader's purchases in one market to a single bet, from their profit in each outcome alone: shares of that
 * outcome less the cost of all. The worst profit is the possible loss, the best one the possible gain. A purchase of
 * loss + gain shares at the price loss / (loss + gain) has the same two. So purchases without profit in any outcome,
 * alone or added to others, change nothing but the number of bets.
 *
 * Without a possible loss there is no bet, because a certain gain is no forecast. A certain loss is a purchase at price
 * 1 that lost: otherwise hedging would remove bets that go wrong from a record.
 *
 * Purchases as maker are no bets: a quote cannot be followed. But what they take back of a bet does not count either
 * (`keptShare`), so a hedge of which one side is a maker's earns nothing.
 *
 * @param outcomes number of outcomes of the market, at least 2
 */
export function netMarket(market: MarketBets, outcomes = 2): NetSums {
  const { bets, usdMicro, sharesMicro, makerSharesMicro, payouts } = market;
  const count = Math.max(outcomes, sharesMicro.length, makerSharesMicro.length);
  // An outcome that was not bought returns nothing.
  const returns = Array.from({ length: count }, (_, index) => sharesMicro[index] ?? 0);
  const loss = Math.max(0, usdMicro - Math.min(...returns));
  const gain = Math.max(0, Math.max(...returns) - usdMicro);
  if (loss === 0) return { bets, usdMicro: 0, edgeMicro: 0, varianceMicro: 0 };
  const paid = sharesMicro.reduce((sum, shares, index) => sum + shares * (payouts[index] ?? 0), 0);
  const kept = keptShare(returns, makerSharesMicro);
  return {
    bets,
    usdMicro: Math.round(kept * (loss + gain)),
    edgeMicro: Math.round(kept * (Math.round(paid) - usdMicro)) + 0,
    varianceMicro: Math.round(kept * loss * (gain / (loss + gain))),
  };
}

/**
 * Adds the closing line to the sums of a market.
 *
 * @param early the trader's purchases from before the close, with closing prices as their payouts
 */
export function addClose(sums: NetSums, early: MarketBets, outcomes = 2): ClusterSums {
  const { usdMicro, edgeMicro, varianceMicro } = netMarket(early, outcomes);
  return { ...sums, closeUsdMicro: usdMicro, closeEdgeMicro: edgeMicro, closeVarianceMicro: varianceMicro };
}

/**
 * The part of a bet, 0 to 1, that is left after the maker's purchases of its trader in the market: the regression of
 * the returns of all purchases on those of the bet, both less their mean over outcomes, because what pays in every
 * outcome is no view. Of two outcomes, the shares of one side less those of the other, after over before.
 */
function keptShare(returns: readonly number[], makerReturns: readonly number[]): number {
  if (makerReturns.length === 0) return 1;
  const mean = returns.reduce((sum, shares) => sum + shares, 0) / returns.length;
  const square = returns.reduce((sum, shares) => sum + (shares - mean) ** 2, 0);
  // A certain loss has no view that a maker's purchase could take back.
  if (square === 0) return 1;
  const taken = returns.reduce((sum, shares, index) => sum + (shares - mean) * (makerReturns[index] ?? 0), 0);
  return Math.min(1, Math.max(0, 1 + taken / square));
}
