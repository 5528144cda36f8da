import { presentFloat } from "../../domain/present-float.ts";
import type { GradeBasis } from "../../queries/grade-basis.ts";

/** How a published grade came about, from what was stored with it; docs/methodology.md says what each figure is. */
export function explainGrade({ bets, clusters, raw_points: raw, ...basis }: GradeBasis): string {
  const own = raw === null ? "nothing, for all prices were 0 or 1" : `${presentFloat(raw, 2)} points`;
  const share = presentFloat(100 * basis.own_share, 2);
  const [expected, deviation] = [presentFloat(basis.expected_points, 2), presentFloat(basis.deviation_points, 2)];
  return (
    `Payout less price over ${bets} settled purchases in ${clusters} events: ${own}. Drawn toward what all wallets do, ${share} % being its ` +
    `own record, the next is expected to pay ${expected} points over its price, with a deviation of ${deviation}. Method ${basis.method}, ` +
    `input SHA-256 ${basis.input_hash}.`
  );
}
