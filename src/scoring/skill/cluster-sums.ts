import { MICRO } from "./parameters.ts";
import type { SettledBet } from "./settled-bet.ts";

/** All settled bets of one wallet in one cluster, as integer sums: exact, whatever the order, and a bet can be taken out again. */
export interface ClusterSums {
  readonly bets: number;
  /** Millionths of a dollar paid. */
  readonly usdMicro: number;
  /** Sum of dollars times (payout - price), in millionths. */
  readonly edgeMicro: number;
  /** Sum of dollars times price times (1 - price), in millionths: what the prices say the edge may vary by. */
  readonly varianceMicro: number;
}

export const EMPTY_CLUSTER: ClusterSums = { bets: 0, usdMicro: 0, edgeMicro: 0, varianceMicro: 0 };

export const addBet = (sums: ClusterSums, bet: SettledBet): ClusterSums => moveBet(sums, bet, 1);

/** Undoes `addBet`: for a resolution that was reversed. */
export const removeBet = (sums: ClusterSums, bet: SettledBet): ClusterSums => moveBet(sums, bet, -1);

function moveBet(sums: ClusterSums, { price, usd, payout }: SettledBet, sign: 1 | -1): ClusterSums {
  return {
    bets: sums.bets + sign,
    usdMicro: sums.usdMicro + sign * Math.round(usd * MICRO),
    edgeMicro: sums.edgeMicro + sign * Math.round(usd * (payout - price) * MICRO),
    varianceMicro: sums.varianceMicro + sign * Math.round(usd * price * (1 - price) * MICRO),
  };
}
