import type { PositionState } from "../../src/scoring/position.ts";

interface CountedPosition {
  readonly marketId: string;
  readonly isCombination: boolean;
  readonly state: PositionState;
  readonly settledMicro: bigint | null;
}

/**
 * A wallet's markets: those it has any position in; of these those whose every position has settled; of these, where the basis of every share is
 * known, the profitable and the decided; and of all of them the combinations.
 */
export interface MarketCounts {
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
  readonly combinations: number;
}

/** Counted from a wallet's folded positions. Decided is what made any profit or loss. */
export function countMarkets(positions: readonly CountedPosition[]): MarketCounts {
  const markets = [...Map.groupBy(positions, ({ marketId }) => marketId).values()];
  const resolved = markets.filter((ofMarket) => ofMarket.every(({ settledMicro }) => settledMicro !== null));
  const known = resolved.filter((ofMarket) => ofMarket.every(({ state }) => state.unmatchedSharesMicro === 0n));
  const results = known.map((ofMarket) => ofMarket.reduce((sum, position) => sum + result(position), 0n));
  return {
    traded: markets.length,
    resolved: resolved.length,
    won: results.filter((micro) => micro > 0n).length,
    decided: results.filter((micro) => micro !== 0n).length,
    combinations: markets.filter(([position]) => position?.isCombination === true).length,
  };
}

const result = ({ state, settledMicro }: CountedPosition): bigint => state.realizedMicro + (settledMicro ?? 0n) - state.feesMicro;
