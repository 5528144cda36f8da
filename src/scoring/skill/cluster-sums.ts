import { MICRO } from "./parameters.ts";
import type { SettledBet } from "./settled-bet.ts";

/**
 * The settled bets of one trader in one cluster, as integer sums: exact, independent of order, and a bet can
 * be removed again.
 */
export interface ClusterSums {
  readonly bets: number;
  /** Millionths of a dollar paid. */
  readonly usdMicro: number;
  /** Sum of dollars times (payout - price), in millionths. */
  readonly edgeMicro: number;
  /**
   * Sum of dollars times price times (1 - price), in millionths: the variance of the edge that the prices
   * imply.
   */
  readonly varianceMicro: number;
}

export const EMPTY_CLUSTER: ClusterSums = { bets: 0, usdMicro: 0, edgeMicro: 0, varianceMicro: 0 };

/** Adds a settled bet. */
export function addBet(sums: ClusterSums, { price, usd, payout }: SettledBet): ClusterSums {
  return {
    bets: sums.bets + 1,
    usdMicro: sums.usdMicro + Math.round(usd * MICRO),
    edgeMicro: sums.edgeMicro + Math.round(usd * (payout - price) * MICRO),
    varianceMicro: sums.varianceMicro + Math.round(usd * price * (1 - price) * MICRO),
  };
}
