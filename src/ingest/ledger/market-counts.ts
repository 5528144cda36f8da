/** What a wallet's stored positions in one market come to. */
export interface MarketStanding {
  readonly positions: number;
  readonly unsettled: number;
  /** Realized and settled less fees, in micro-dollars. */
  readonly resultMicro: bigint;
}

/**
 * How one market counts in a wallet's totals, 0 or 1 each: it has a position there; every one of them has settled; with a profit; with any
 * profit or loss. `settlePositions` counts the same way in SQL.
 */
export interface MarketCounts {
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
}

export function countMarket({ positions, unsettled, resultMicro }: MarketStanding): MarketCounts {
  const isResolved = positions > 0 && unsettled === 0;
  return {
    traded: Number(positions > 0),
    resolved: Number(isResolved),
    won: Number(isResolved && resultMicro > 0n),
    decided: Number(isResolved && resultMicro !== 0n),
  };
}
