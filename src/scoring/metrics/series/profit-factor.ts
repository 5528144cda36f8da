import { PROFIT_FACTOR_CAP, PROFIT_FACTOR_MIN_DECIDED } from "../parameters.ts";
import type { SettledMarket } from "../settled-market.ts";

/**
 * Gross profit of won markets divided by gross loss of lost markets, 0 to 1000. A record without a loss has
 * the cap.
 *
 * @returns null below PROFIT_FACTOR_MIN_DECIDED decided markets
 * Source: the contract for ratio and cap; the use of settled markets and the minimum are our own, version 1.
 */
export function profitFactor(markets: readonly Pick<SettledMarket, "pnlMicro">[]): number | null {
  let profit = 0n;
  let loss = 0n;
  let decided = 0;
  for (const { pnlMicro } of markets) {
    if (pnlMicro > 0n) profit += pnlMicro;
    else loss -= pnlMicro;
    if (pnlMicro !== 0n) decided += 1;
  }
  if (decided < PROFIT_FACTOR_MIN_DECIDED) return null;
  return loss === 0n ? PROFIT_FACTOR_CAP : Math.min(PROFIT_FACTOR_CAP, Number(profit) / Number(loss));
}
