import { trailingDays, type DailyPoint } from "./daily-series.ts";
import { COOLING_PERCENTILE, FORM_DAYS, HOT_PERCENTILE, NEUTRAL_PERCENTILE, RISING_PERCENTILE } from "./parameters.ts";
import { percentileOf } from "./percentile.ts";

export type StreakTier = "hot" | "rising" | "neutral" | "cooling" | "cold";

/**
 * Trailing form: realized P&L of the 7 UTC days that end with `asOf`, over the most capital at work on one of them (0.1 is 10 %).
 *
 * @returns null when no day of them is recorded (the wallet is inactive) or no capital is known
 * Source: our own design, version 1.
 */
export function trailingForm(series: readonly DailyPoint[], asOf: string): number | null {
  let pnl = 0n;
  let capital = 0n;
  for (const { pnlMicro, capitalMicro } of trailingDays(series, asOf, FORM_DAYS)) {
    pnl += pnlMicro;
    if (capitalMicro !== null && capitalMicro > capital) capital = capitalMicro;
  }
  return capital === 0n ? null : Number(pnl) / Number(capital);
}

/**
 * The tier of a wallet's form among all active wallets. In a week in which everybody loses nobody is hot or rising, and in one in which
 * everybody gains nobody is cooling or cold: against the sign of the form the tier stops at neutral.
 *
 * @param form see `trailingForm`
 * @param population forms of all active wallets, ascending
 * @returns null for an inactive wallet or too small a population; the grade plays no part
 * Source: percentile of seven days is the contract's; the thresholds are our own, version 1.
 */
export function streakTier(form: number | null, population: readonly number[]): StreakTier | null {
  const percentile = percentileOf(form, population);
  if (form === null || percentile === null) return null;
  if (percentile >= RISING_PERCENTILE && form > 0) return percentile >= HOT_PERCENTILE ? "hot" : "rising";
  if (percentile < NEUTRAL_PERCENTILE && form < 0) return percentile < COOLING_PERCENTILE ? "cold" : "cooling";
  return "neutral";
}
