import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { PageResult } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import type { PositionFilters } from "../../queries/positions/filters.ts";
import { findPositionSnapshot, createPositionSnapshot } from "../../queries/positions/snapshots.ts";
import { sortByCurrentValue, type PositionCursor } from "./position-cursor.ts";
import { presentPosition } from "./present/present-position.ts";
import { presentPositionQuality, presentUnlisted, openPositionTotal } from "./present/present-position-quality.ts";
import type { Position } from "./schemas/schemas.ts";
import { unknownTraderName } from "./present/trader-name.ts";

/** Format of the stored rows. Change it when rows gain a field: snapshots in an older format then expire. */
const ROW_FORMAT = "phases";

/**
 * Returns a page of a frozen list. The first page freezes the list for the caller's API key.
 *
 * @param names the traders as sent by the client
 * @throws ApiError not_found for an unknown trader; cursor_expired after the snapshot has expired or was
 * replaced
 */
export async function readPositionSnapshot(
  filters: PositionFilters,
  names: readonly string[],
  page: { cursor: PositionCursor | null; limit: number },
  { db, now, principal, requestId }: OperationContext,
): Promise<PageResult<z.input<typeof Position>, PositionCursor>> {
  if (filters.traders === null)
    throw new ApiError("invalid_query", { param: "wallet", message: "consistency=snapshot requires wallet." });
  const snapshotCursor = page.cursor !== null && "snapshot" in page.cursor ? page.cursor : null;
  const key = {
    keyId: String(principal?.keyId),
    id: snapshotCursor?.snapshot ?? requestId,
    filters: `${ROW_FORMAT}:${JSON.stringify(filters)}`,
  };
  const offset = snapshotCursor?.offset ?? 0;
  const found =
    snapshotCursor === null
      ? await createPositionSnapshot(db, key, filters, page.limit, now)
      : await findPositionSnapshot(db, key, { offset, limit: page.limit }, now);
  if (found === null) throw new ApiError("cursor_expired", { param: "cursor" });
  if ("unknownTraderIndex" in found) throw unknownTraderName(names[found.unknownTraderIndex]);
  const asOf = new Date(found.as_of);
  const end = offset + found.rows.length;
  const rows = sortByCurrentValue(found.rows);
  return {
    data: rows.map((row) => presentPosition(row, asOf)),
    next: end < found.row_count ? { snapshot: key.id, offset: end } : null,
    topLevel: {
      data_quality: presentPositionQuality(rows, found, asOf),
      ...openPositionTotal(found, filters),
      snapshot: { as_of: found.as_of, expires_at: found.expires_at, row_count: found.row_count },
    },
    meta: presentUnlisted(found.unlisted),
  };
}
