import type { SettledMarket } from "./settled-market.ts";

export interface WinRecord {
  readonly wins: number;
  /** Settled markets with any profit or loss: an exact zero is neither won nor lost. */
  readonly decided: number;
}

export function winRecord(markets: readonly Pick<SettledMarket, "pnlMicro">[]): WinRecord {
  return {
    wins: markets.filter((market) => market.pnlMicro > 0n).length,
    decided: markets.filter((market) => market.pnlMicro !== 0n).length,
  };
}

/**
 * Wins divided by decided, a fraction 0 to 1.
 *
 * @param minDecided at least 1
 * @returns null below the minimum: too few results are unknown, not zero
 */
export function winRate({ wins, decided }: WinRecord, minDecided = 1): number | null {
  return decided < Math.max(1, minDecided) ? null : wins / decided;
}
