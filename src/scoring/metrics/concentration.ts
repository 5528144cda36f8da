import type { SettledMarket } from "./settled-market.ts";

/**
 * Herfindahl index of what was paid by market: the sum of squared shares. 1 is all in one market, 1/n is n markets alike.
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
  // Integers up to here: no rounding, no dependence on order. A few thousand squares still fit a float.
  return total === 0n ? null : Math.min(1, Number(squares) / Number(total * total));
}
