import { z } from "zod";
import type { EdgeEntryRow, EdgePage } from "../../queries/edge/edge-entries.ts";

/** The last row of a page. All pages of one walk are read from its snapshot. */
export const EdgeCursorPosition = z.object({
  generation: z.number().int(),
  rank: z.number().int(),
  conditionId: z.string(),
});

export const EDGE_CURSOR = { prefix: "seo_v2_", position: EdgeCursorPosition } as const;

/** Cuts the rows to `limit`; `page.rows` has one row more when a next page exists. */
export function sliceEdgePage(
  { rows, snapshot }: EdgePage,
  limit: number,
): { rows: readonly EdgeEntryRow[]; next: z.input<typeof EdgeCursorPosition> | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: shown, next: null };
  return {
    rows: shown,
    next: { generation: snapshot.generation, rank: last.rank, conditionId: last.condition_id },
  };
}
