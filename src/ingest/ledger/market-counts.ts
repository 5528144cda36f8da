/** The sums of a trader's stored positions in one market. */
export interface MarketPositionSums {
  readonly positions: number;
  readonly unsettled: number;
  /** Number of positions with unmatched shares. The trader's result in such a market is unknown. */
  readonly unmatched: number;
  /** Realized plus settled minus fees, in micro-dollars. */
  readonly resultMicro: bigint;
}

/**
 * How one market counts in a trader's totals, each 0 or 1. `traded`: it has a position. `resolved`: all its
 * positions have settled. `won`: resolved with a known profit. `decided`: resolved with a known profit or
 * loss. `settlePositions` counts the same way in SQL.
 */
export interface MarketCounts {
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
}

export function countMarket({ positions, unsettled, unmatched, resultMicro }: MarketPositionSums): MarketCounts {
  const isResolved = positions > 0 && unsettled === 0;
  const isKnown = isResolved && unmatched === 0;
  return {
    traded: Number(positions > 0),
    resolved: Number(isResolved),
    won: Number(isKnown && resultMicro > 0n),
    decided: Number(isKnown && resultMicro !== 0n),
  };
}
