import { HALVES_MIN_MARKETS } from "./parameters.ts";
import type { SettledMarket } from "./settled-market.ts";

/**
 * Whether a record's edge is inconsistent: the earlier or the later half, by time of settlement, made no
 * profit. With an odd number the middle market belongs to the later half. One lucky streak cannot carry both
 * halves.
 *
 * @returns null below HALVES_MIN_MARKETS decided markets
 * Source: our own design, version 1.
 */
export function isEdgeInconsistent(
  markets: readonly Pick<SettledMarket, "conditionId" | "pnlMicro" | "settledAtMs">[],
): boolean | null {
  const decided = markets.filter((market) => market.pnlMicro !== 0n);
  if (decided.length < HALVES_MIN_MARKETS) return null;
  decided.sort(
    (a, b) =>
      a.settledAtMs - b.settledAtMs || (a.conditionId < b.conditionId ? -1 : a.conditionId > b.conditionId ? 1 : 0),
  );
  const middle = Math.floor(decided.length / 2);
  return sumOf(decided.slice(0, middle)) <= 0n || sumOf(decided.slice(middle)) <= 0n;
}

const sumOf = (markets: readonly Pick<SettledMarket, "pnlMicro">[]): bigint =>
  markets.reduce((sum, market) => sum + market.pnlMicro, 0n);
