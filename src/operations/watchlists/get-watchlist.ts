import { defineOperation } from "../../api/operation.ts";
import { findWatchlist } from "../../queries/watchlists/read-watchlists.ts";
import { Watchlist } from "./schemas.ts";
import { ONE_WATCHLIST, presentWatchlist, watchlistNotFound, watchlistRef } from "./watchlist-operation.ts";

export const getWatchlist = defineOperation({
  ...ONE_WATCHLIST,
  id: "getWatchlist",
  method: "get",
  path: "/api/v1/watchlists/{watchlist_id}",
  summary: "Get one watchlist with its addresses.",
  description:
    "Returns all addresses of the list at once. A list of another account is 404, like one that never existed.",
  reasons: ["not_found"],
  data: Watchlist,
  async handle({ params }, context) {
    const row = await findWatchlist(context.db, watchlistRef(params.watchlist_id, context));
    if (row === null) throw watchlistNotFound();
    return { data: { ...presentWatchlist(row), wallets: row.wallets } };
  },
});
