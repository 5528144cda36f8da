import type { PositionState } from "../../src/scoring/position-fold.ts";

interface SettledPosition {
  readonly marketId: string;
  readonly isExcluded: boolean;
  readonly state: PositionState;
  readonly settledMicro: bigint | null;
}

/**
 * A trader's markets. `traded`: with any position. `resolved`: those with every position settled. `won` and
 * `decided`: the resolved ones without unmatched shares and with a profit, or with a profit or loss.
 * `combinations`: among `traded`.
 */
export interface MarketCounts {
  readonly traded: number;
  readonly resolved: number;
  readonly won: number;
  readonly decided: number;
  readonly combinations: number;
}

/** Counts the markets of a trader's folded positions. */
export function countMarkets(positions: readonly SettledPosition[]): MarketCounts {
  const markets = [...Map.groupBy(positions, ({ marketId }) => marketId).values()];
  const resolved = markets.filter((ofMarket) => ofMarket.every(({ settledMicro }) => settledMicro !== null));
  const known = resolved.filter((ofMarket) => ofMarket.every(({ state }) => state.unmatchedSharesMicro === 0n));
  const results = known.map((ofMarket) => ofMarket.reduce((sum, position) => sum + result(position), 0n));
  return {
    traded: markets.length,
    resolved: resolved.length,
    won: results.filter((micro) => micro > 0n).length,
    decided: results.filter((micro) => micro !== 0n).length,
    combinations: markets.filter(([position]) => position?.isExcluded === true).length,
  };
}

const result = ({ state, settledMicro }: SettledPosition): bigint =>
  state.realizedMicro + (settledMicro ?? 0n) - state.feesMicro;
