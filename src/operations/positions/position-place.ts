import { z } from "zod";
import type { PositionPlace } from "../../queries/positions/filters.ts";
import type { PositionRow } from "../../queries/positions/rows.ts";

/** Where a page of positions ended: after a row of the live list, or at a row of a snapshot. Values are micro-dollars. */
export const PositionCursor = z.union([
  z.object({ value: z.string().regex(/^\d+$/), wallet: z.string(), conditionId: z.string(), outcomeIndex: z.number().int() }),
  z.object({ snapshot: z.string(), offset: z.number().int().min(1) }),
]);

export type PositionCursor = z.output<typeof PositionCursor>;

/** A row with its value at the moment of the answer. */
export type ValuedRow = PositionRow & { readonly value_micro: bigint };

/**
 * A page as it is shown: in the order of the values of this moment, while pages follow each other in the order of the last round of valuing. A row
 * whose price has gone since has no value to show.
 */
export const inShownOrder = (rows: readonly PositionRow[]): ValuedRow[] =>
  rows
    .flatMap(({ value_micro: value, ...row }) => (value === null ? [] : [{ ...row, value_micro: value }]))
    .toSorted((a, b) => (a.value_micro === b.value_micro ? 0 : a.value_micro > b.value_micro ? -1 : 1));

export const cursorAfter = (row: PositionRow): PositionCursor => ({
  value: String(row.listed_value_micro),
  wallet: row.address,
  conditionId: row.condition_id,
  outcomeIndex: row.outcome_index,
});

/** The place in the live list; null for its beginning. */
export function placeOf(cursor: PositionCursor | null): PositionPlace | null {
  if (cursor === null || "snapshot" in cursor) return null;
  const { value: valueMicro, wallet, conditionId, outcomeIndex } = cursor;
  return { valueMicro, wallet, conditionId, outcomeIndex };
}
