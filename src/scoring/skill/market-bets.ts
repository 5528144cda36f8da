import { EMPTY_CLUSTER, type ClusterSums } from "./cluster-sums.ts";

/** All purchases of one trader in one resolved market: what they cost, and what they return in each outcome. */
export interface MarketBets {
  readonly bets: number;
  /** Millionths of a dollar paid. */
  readonly usdMicro: number;
  /** Millionths of shares bought, by outcome; an outcome without purchases may be missing. */
  readonly sharesMicro: readonly number[];
  /** Payout per share, 0 to 1, by outcome; used where shares were bought. */
  readonly payouts: readonly number[];
}

export const NO_BETS: MarketBets = { bets: 0, usdMicro: 0, sharesMicro: [], payouts: [] };

/** A purchase in one market. */
export interface MarketBet {
  readonly outcome: number;
  readonly sharesMicro: number;
  readonly usdMicro: number;
  readonly payout: number;
}

/** Adds a purchase. */
export function addBet(market: MarketBets, { outcome, sharesMicro, usdMicro, payout }: MarketBet): MarketBets {
  return {
    bets: market.bets + 1,
    usdMicro: market.usdMicro + usdMicro,
    sharesMicro: set(market.sharesMicro, outcome, (market.sharesMicro[outcome] ?? 0) + sharesMicro),
    payouts: set(market.payouts, outcome, payout),
  };
}

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
 * @param outcomes number of outcomes of the market, at least 2
 */
export function netMarket({ bets, usdMicro, sharesMicro, payouts }: MarketBets, outcomes = 2): ClusterSums {
  // An outcome that was not bought returns nothing.
  const returns = Array.from({ length: Math.max(outcomes, sharesMicro.length) }, (_, index) => sharesMicro[index] ?? 0);
  const loss = Math.max(0, usdMicro - Math.min(...returns));
  const gain = Math.max(0, Math.max(...returns) - usdMicro);
  if (loss === 0) return { ...EMPTY_CLUSTER, bets };
  const paid = sharesMicro.reduce((sum, shares, index) => sum + shares * (payouts[index] ?? 0), 0);
  return {
    bets,
    usdMicro: loss + gain,
    edgeMicro: Math.round(paid) - usdMicro,
    varianceMicro: Math.round(loss * (gain / (loss + gain))),
  };
}
