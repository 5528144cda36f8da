import type { SettledMarket } from "./settled-market.ts";

/**
 * Herfindahl index of the cost by market: the sum of squared shares. 1 is all in one market, 1/n is n equal
 * markets.
 *
 * @returns above 0, at most 1; null when nothing was paid
 * Source: Herfindahl (1950), Hirschman (1964).
 */
export function concentration(markets: readonly Pick<SettledMarket, "costMicro">[]): number | null {
  let total = 0n;
  let squares = 0n;
  for (const { costMicro } of markets) {
    if (costMicro <= 0n) continue;
    total += costMicro;
    squares += costMicro * costMicro;
  }
  // Integers up to here: no rounding and no dependence on order. The sum of a few thousand squares still fits
  // a float.
  return total === 0n ? null : Math.min(1, Number(squares) / Number(total * total));
}
