/**
 * The settled bets of one trader in one market or cluster, as integer sums: exact, independent of order, and a
 * market can be removed again.
 */
export interface ClusterSums {
  readonly bets: number;
  /**
   * Millionths of a dollar at stake: from the worst to the best result of each market, after its bets are netted. Of a
   * single purchase these are its shares.
   */
  readonly usdMicro: number;
  /** Profit of what remains, in millionths of a dollar: sum of dollars at stake times (payout - price). */
  readonly edgeMicro: number;
  /**
   * Sum of dollars at stake times price times (1 - price), in millionths: the variance of the edge that the
   * prices imply.
   */
  readonly varianceMicro: number;
}

export const EMPTY_CLUSTER: ClusterSums = { bets: 0, usdMicro: 0, edgeMicro: 0, varianceMicro: 0 };

/** `left` plus or minus `right`. Subtracting a cluster from itself gives the empty cluster. */
export function combineSums(left: ClusterSums, right: ClusterSums, sign: 1 | -1): ClusterSums {
  return {
    bets: left.bets + sign * right.bets,
    usdMicro: left.usdMicro + sign * right.usdMicro,
    edgeMicro: left.edgeMicro + sign * right.edgeMicro,
    varianceMicro: left.varianceMicro + sign * right.varianceMicro,
  };
}
