import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import type { WatchlistRef } from "../../domain/watchlists/watchlist-matches.ts";
import { formatId, parseId } from "../../domain/ids.ts";
import type { WatchlistRow } from "../../queries/watchlists/watchlist-row.ts";
import { WatchlistSegment } from "./schemas.ts";

/** Settings shared by all watchlist operations. */
export const WATCHLIST_OPERATION = {
  tag: "Watchlists",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  query: {},
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
} as const;

/** Settings of watchlist operations with a list in their path. */
export const ONE_WATCHLIST = {
  ...WATCHLIST_OPERATION,
  kind: "single",
  params: { watchlist_id: WatchlistSegment },
  object: "watchlist",
} as const;

/** Account of the caller. Watchlist operations always have one. */
export function callerAccount({ principal }: Pick<OperationContext, "principal">): number {
  if (principal === null) throw new Error("watchlist operation without a caller");
  return principal.accountId;
}

/** @param id as `WATCHLIST_ID_PATTERN` accepts it */
export function watchlistRef(id: string, context: Pick<OperationContext, "principal">): WatchlistRef {
  const number = parseId("watchlist", id);
  if (number === null) throw new Error(`${id} is no watchlist id`);
  return { accountId: callerAccount(context), id: number };
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
