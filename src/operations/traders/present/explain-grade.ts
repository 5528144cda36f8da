import { presentFloat } from "../../../domain/present-float.ts";
import { METHOD_VERSION, RECENT_DAYS } from "../../../scoring/skill/parameters.ts";
import type { GradeBasis } from "../../../queries/traders/grade-basis.ts";

/** What the current version of the method counts; earlier versions counted otherwise. */
const SCOPE =
  "Purchases of both sides of a market are netted. Sales, combos and purchases known to be a maker's are left out; " +
  "a purchase of unknown role counts. The closing lines of games count beside the results. " +
  `S and A also need the evidence of the last ${RECENT_DAYS} days, and a population that shows skill. `;

/** Explains a published grade from the figures stored with it. docs/methodology.md defines each figure. */
export function explainGrade({
  bets,
  clusters,
  raw_points: raw,
  recent_forecast_score: recent,
  ...basis
}: GradeBasis): string {
  const own = raw === null ? "no value, because all prices were 0 or 1" : `${presentFloat(raw, 2)} points`;
  const share = presentFloat(100 * basis.own_share, 2);
  const [expected, deviation] = [presentFloat(basis.expected_points, 2), presentFloat(basis.deviation_points, 2)];
  return (
    `Payout minus price over ${bets} settled purchases in ${clusters} events: ${own}. ` +
    `Shrunk toward the mean of all traders, with a weight of ${share} % on the trader's own record: ` +
    `the next purchase is expected to pay ${expected} points more than its price, ` +
    `with a standard deviation of ${deviation}. ${recent === null ? "" : `By the evidence of the last ${RECENT_DAYS} days alone its edge is above zero with a probability of ${presentFloat(recent, 2)} %. `}${basis.method === METHOD_VERSION ? SCOPE : ""}Method ${basis.method}, input SHA-256 ${basis.input_hash}.`
  );
}
