/** The settled bets of one trader in one market, netted, as integers. */
export interface NetSums {
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

/**
 * The settled bets of one trader in one market or cluster, as integer sums: exact, independent of order, and a
 * market can be removed again.
 */
export interface ClusterSums extends NetSums {
  /**
   * The same three of the bets from before the market's close, with its closing price in the place of the payout. 0 where
   * no close is known.
   */
  readonly closeUsdMicro: number;
  readonly closeEdgeMicro: number;
  readonly closeVarianceMicro: number;
}

export const EMPTY_CLUSTER: ClusterSums = {
  bets: 0,
  usdMicro: 0,
  edgeMicro: 0,
  varianceMicro: 0,
  closeUsdMicro: 0,
  closeEdgeMicro: 0,
  closeVarianceMicro: 0,
};

/** `left` plus or minus `right`. Subtracting a cluster from itself gives the empty cluster. */
export function combineSums(left: ClusterSums, right: ClusterSums, sign: 1 | -1): ClusterSums {
  return {
    bets: left.bets + sign * right.bets,
    usdMicro: left.usdMicro + sign * right.usdMicro,
    edgeMicro: left.edgeMicro + sign * right.edgeMicro,
    varianceMicro: left.varianceMicro + sign * right.varianceMicro,
    closeUsdMicro: left.closeUsdMicro + sign * right.closeUsdMicro,
    closeEdgeMicro: left.closeEdgeMicro + sign * right.closeEdgeMicro,
    closeVarianceMicro: left.closeVarianceMicro + sign * right.closeVarianceMicro,
  };
}
