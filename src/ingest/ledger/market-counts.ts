/** What a wallet's stored positions in one market come to. */
export interface MarketStanding {
  readonly positions: number;
  readonly unsettled: number;
  /** Positions with unmatched shares: what the wallet made there is not known. */
  readonly unmatched: number;
  /** Realized and settled less fees, in micro-dollars. */
  readonly resultMicro: bigint;
}

/**
 * How one market counts in a wallet's totals, 0 or 1 each: it has a position there; every one of them has settled; with a known profit; with
 * any known profit or loss. `settlePositions` counts the same way in SQL.
 */
export interface MarketCounts {
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
}

export function countMarket({ positions, unsettled, unmatched, resultMicro }: MarketStanding): MarketCounts {
  const isResolved = positions > 0 && unsettled === 0;
  const isKnown = isResolved && unmatched === 0;
  return {
    traded: Number(positions > 0),
    resolved: Number(isResolved),
    won: Number(isKnown && resultMicro > 0n),
    decided: Number(isKnown && resultMicro !== 0n),
  };
}
