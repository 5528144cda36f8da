import { defineOperation } from "../../api/operation.ts";
import { replaceWatchlist as replaceRow } from "../../queries/watchlists/replace-watchlist.ts";
import { WatchlistContent, WatchlistSummary } from "./schemas.ts";
import { ONE_WATCHLIST, presentWatchlist, watchlistNotFound, watchlistRef } from "./watchlist-operation.ts";

export const replaceWatchlist = defineOperation({
  ...ONE_WATCHLIST,
  id: "replaceWatchlist",
  method: "put",
  path: "/api/v1/watchlists/{watchlist_id}",
  summary: "Replace the name and all addresses of a watchlist.",
  description:
    "The new addresses take the place of the old ones in one step. They apply at once: to every event that is " +
    "recorded after the response, in open streams and in webhooks, and to every replay that is read after it. " +
    "Deliveries that are already created stay. The same content again changes nothing.",
  reasons: ["not_found"],
  idempotent: true,
  data: WatchlistSummary,
  body: WatchlistContent,
  async handle({ params, body }, context) {
    const row = await replaceRow(context.db, watchlistRef(params.watchlist_id, context), body, context.now);
    if (row === null) throw watchlistNotFound();
    return { data: presentWatchlist(row) };
  },
});
