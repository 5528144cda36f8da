import { trailingDays, type DailyPoint } from "./series/daily-series.ts";
import { COOLING_PERCENTILE, FORM_DAYS, HOT_PERCENTILE, NEUTRAL_PERCENTILE, RISING_PERCENTILE } from "./parameters.ts";
import { percentileOf } from "./percentile.ts";

export type StreakTier = "hot" | "rising" | "neutral" | "cooling" | "cold";

/**
 * Trailing form: realized P&L of the 7 UTC days that end with `asOf`, divided by the highest capital at work
 * on one of them (0.1 is 10 %).
 *
 * @returns null when none of these days is recorded (the trader is inactive) or no capital is known
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
 * The tier of a trader's form among all active traders. A loss is never hot or rising, even in a week in
 * which all traders lose, and a profit is never cooling or cold: the tier is then neutral.
 *
 * @param form see `trailingForm`
 * @param population forms of all active traders, ascending
 * @returns null for an inactive trader or too small a population; the grade is not used
 * Source: the percentile over seven days is the contract's; the thresholds are our own, version 1.
 */
export function streakTier(form: number | null, population: readonly number[]): StreakTier | null {
  const percentile = percentileOf(form, population);
  if (form === null || percentile === null) return null;
  if (percentile >= RISING_PERCENTILE && form > 0) return percentile >= HOT_PERCENTILE ? "hot" : "rising";
  if (percentile < NEUTRAL_PERCENTILE && form < 0) return percentile < COOLING_PERCENTILE ? "cold" : "cooling";
  return "neutral";
}
