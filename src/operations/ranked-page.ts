import { z } from "zod";
import { ApiError } from "../api/errors.ts";
import type { RankedPage } from "../queries/trades/leaderboard.ts";

/** Cursor position in a ranked read model: its generation and the rank of the last row of the page. */
export const RankedCursorPosition = z.object({ generation: z.number().int(), rank: z.number().int() });

/**
 * Cuts the rows to `limit` and returns the cursor position of the next page. `page.rows` has one row more
 * than `limit` when a next page exists.
 *
 * @throws ApiError cursor_expired when the cursor's generation no longer exists, read_model_warming when no
 * generation was ever built
 */
export function sliceRankedPage<Row extends { rank: number }>(
  page: RankedPage<Row> | null,
  limit: number,
  cursor: z.output<typeof RankedCursorPosition> | null,
): {
  rows: Row[];
  next: z.input<typeof RankedCursorPosition> | null;
  generation: RankedPage<Row>["generation"];
  total: number;
} {
  if (page === null)
    throw cursor === null ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
  const rows = page.rows.slice(0, limit);
  const last = rows.at(-1);
  const next =
    page.rows.length > limit && last !== undefined ? { generation: page.generation.id, rank: last.rank } : null;
  return { rows, next, generation: page.generation, total: page.total };
}
