import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { PageAnswer } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import type { PositionFilters } from "../../queries/positions/filters.ts";
import { findPositionSnapshot, freezePositions } from "../../queries/positions/snapshots.ts";
import { inShownOrder, type PositionCursor } from "./position-place.ts";
import { presentPosition } from "./present-position.ts";
import { presentPositionQuality, presentUnlisted, totalHeld } from "./present-quality.ts";
import type { Position } from "./schemas.ts";
import { unknownWallet } from "./wallet-name.ts";

/** Another one when stored rows get something new: snapshots without it are expired then. */
const FORM = "phases";

/**
 * A page of the list as it stood when its first page was asked for, which freezes it for the caller's key.
 *
 * @param names the wallets as sent
 * @throws ApiError not_found for a wallet nobody has, cursor_expired once the snapshot has expired or another has taken its place
 */
export async function readSnapshot(
  filters: PositionFilters,
  names: readonly string[],
  page: { cursor: PositionCursor | null; limit: number },
  { db, now, principal, requestId }: OperationContext,
): Promise<PageAnswer<z.input<typeof Position>, PositionCursor>> {
  if (filters.wallets === null) throw new ApiError("invalid_query", { param: "wallet", message: "consistency=snapshot needs wallet." });
  const place = page.cursor !== null && "snapshot" in page.cursor ? page.cursor : null;
  const key = { keyId: String(principal?.keyId), id: place?.snapshot ?? requestId, filters: `${FORM}:${JSON.stringify(filters)}` };
  const offset = place?.offset ?? 0;
  const found =
    place === null
      ? await freezePositions(db, key, filters, page.limit, now)
      : await findPositionSnapshot(db, key, { offset, limit: page.limit }, now);
  if (found === null) throw new ApiError("cursor_expired", { param: "cursor" });
  if ("unknownWallet" in found) throw unknownWallet(names[found.unknownWallet]);
  const asOf = new Date(found.as_of);
  const end = offset + found.rows.length;
  const rows = inShownOrder(found.rows);
  return {
    data: rows.map((row) => presentPosition(row, asOf)),
    next: end < found.row_count ? { snapshot: key.id, offset: end } : null,
    topLevel: {
      data_quality: presentPositionQuality(rows, found, asOf),
      ...totalHeld(found, filters),
      snapshot: { as_of: found.as_of, expires_at: found.expires_at, row_count: found.row_count },
    },
    meta: presentUnlisted(found.unlisted),
  };
}
