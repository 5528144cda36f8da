import type { PositionState } from "../../src/scoring/position.ts";

interface CountedPosition {
  readonly marketId: string;
  readonly state: PositionState;
  readonly settledMicro: bigint | null;
}

/** A wallet's markets: those it has any position in; of these those whose every position has settled; of these the profitable and the decided. */
export interface MarketCounts {
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
}

/** Counted from a wallet's folded positions. Decided is what made any profit or loss. */
export function countMarkets(positions: readonly CountedPosition[]): MarketCounts {
  const markets = [...Map.groupBy(positions, ({ marketId }) => marketId).values()];
  const resolved = markets.filter((ofMarket) => ofMarket.every(({ settledMicro }) => settledMicro !== null));
  const results = resolved.map((ofMarket) => ofMarket.reduce((sum, position) => sum + result(position), 0n));
  return {
    traded: markets.length,
    resolved: resolved.length,
    won: results.filter((micro) => micro > 0n).length,
    decided: results.filter((micro) => micro !== 0n).length,
  };
}

const result = ({ state, settledMicro }: CountedPosition): bigint => state.realizedMicro + (settledMicro ?? 0n) - state.feesMicro;
