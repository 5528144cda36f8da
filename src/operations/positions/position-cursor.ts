import { z } from "zod";
import type { PositionListCursor } from "../../queries/positions/filters.ts";
import type { PositionRow } from "../../queries/positions/position-rows.ts";

/** End of a page: the last row of the live list (`value` in micro-dollars), or an offset in a snapshot. */
export const PositionCursor = z.union([
  z.object({
    value: z.string().regex(/^\d+$/),
    wallet: z.string(),
    conditionId: z.string(),
    outcomeIndex: z.number().int(),
  }),
  z.object({ snapshot: z.string(), offset: z.number().int().min(1) }),
]);

export type PositionCursor = z.output<typeof PositionCursor>;

/** A row with a known value at the time of the response. */
export type ValuedPositionRow = PositionRow & { readonly value_micro: bigint };

/**
 * Sorts a page by current value, highest first. Page boundaries follow the values of the last valuation run.
 * Drops rows whose price has disappeared since that run: they have no value to show.
 */
export const sortByCurrentValue = (rows: readonly PositionRow[]): ValuedPositionRow[] =>
  rows
    .flatMap(({ value_micro: value, ...row }) => (value === null ? [] : [{ ...row, value_micro: value }]))
    .toSorted((a, b) => (a.value_micro === b.value_micro ? 0 : a.value_micro > b.value_micro ? -1 : 1));

export const cursorAfter = (row: PositionRow): PositionCursor => ({
  value: String(row.listed_value_micro),
  wallet: row.address,
  conditionId: row.condition_id,
  outcomeIndex: row.outcome_index,
});

/** The row after which a page of the live list starts; null for the first page. */
export function liveCursorOf(cursor: PositionCursor | null): PositionListCursor | null {
  if (cursor === null || "snapshot" in cursor) return null;
  const { value: valueMicro, wallet, conditionId, outcomeIndex } = cursor;
  return { valueMicro, wallet, conditionId, outcomeIndex };
}
