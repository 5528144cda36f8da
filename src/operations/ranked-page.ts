import { z } from "zod";
import { ApiError } from "../api/errors.ts";
import type { RankedPage } from "../queries/leaderboard.ts";

/** Where a page of a rebuilt list ended: in which generation, after which rank. */
export const RankedPosition = z.object({ generation: z.number().int(), rank: z.number().int() });

/**
 * The page that was read, cut to what was asked for, and where the next one starts.
 *
 * @throws ApiError cursor_expired when the cursor's generation is gone, read_model_warming when the list was never built
 */
export function cutPage<Row extends { rank: number }>(
  page: RankedPage<Row> | null,
  limit: number,
  cursor: z.output<typeof RankedPosition> | null,
): { rows: Row[]; next: z.input<typeof RankedPosition> | null; generation: RankedPage<Row>["generation"]; total: number } {
  if (page === null) throw cursor === null ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
  const rows = page.rows.slice(0, limit);
  const last = rows.at(-1);
  const next = page.rows.length > limit && last !== undefined ? { generation: page.generation.id, rank: last.rank } : null;
  return { rows, next, generation: page.generation, total: page.total };
}
