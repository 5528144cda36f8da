import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import type { WatchlistRef } from "../../domain/watchlists/watchlist-matches.ts";
import { formatId, parseId } from "../../domain/ids.ts";
import type { WatchlistRow } from "../../queries/watchlists/watchlist-row.ts";
import { OWNED_RESOURCE_OPERATION, requireCaller } from "../owned-resource.ts";
import { WatchlistSegment } from "./schemas.ts";

/** Settings shared by all watchlist operations. */
export const WATCHLIST_OPERATION = {
  ...OWNED_RESOURCE_OPERATION,
  tag: "Watchlists",
  scope: "read",
  query: {},
} as const;

/** Settings of watchlist operations with a list in their path. */
export const ONE_WATCHLIST = {
  ...WATCHLIST_OPERATION,
  kind: "single",
  params: { watchlist_id: WatchlistSegment },
  object: "watchlist",
} as const;

/** @param id as `WATCHLIST_ID_PATTERN` accepts it */
export function watchlistRef(id: string, { principal }: Pick<OperationContext, "principal">): WatchlistRef {
  const number = parseId("watchlist", id);
  if (number === null) throw new Error(`${id} is no watchlist id`);
  return { accountId: requireCaller(principal).accountId, id: number };
}

/**
 * The same error, byte for byte, for an id that does not exist and for another account's: it does not reveal which ids
 * exist.
 */
export const watchlistNotFound = (): ApiError =>
  new ApiError("not_found", { param: "watchlist_id", message: "This account has no watchlist with this id." });

export const presentWatchlist = (row: WatchlistRow) => ({
  id: formatId("watchlist", row.id),
  object: "watchlist" as const,
  name: row.name,
  wallet_count: row.wallet_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
