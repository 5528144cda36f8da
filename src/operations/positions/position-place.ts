import { z } from "zod";
import type { PositionPlace } from "../../queries/positions/filters.ts";
import type { PositionRow } from "../../queries/positions/rows.ts";

/** Where a page of positions ended: after a row of the live list, or at a row of a snapshot. Values are micro-dollars. */
export const PositionCursor = z.union([
  z.object({ value: z.string().regex(/^\d+$/), wallet: z.string(), conditionId: z.string(), outcomeIndex: z.number().int() }),
  z.object({ snapshot: z.string(), offset: z.number().int().min(1) }),
]);

export type PositionCursor = z.output<typeof PositionCursor>;

export const cursorAfter = (row: PositionRow): PositionCursor => ({
  value: String(row.value_micro),
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
