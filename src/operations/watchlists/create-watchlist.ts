import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { MAX_WATCHLISTS } from "../../domain/watchlists/watchlist-limits.ts";
import { insertWatchlist } from "../../queries/watchlists/insert-watchlist.ts";
import { WatchlistContent, WatchlistSummary } from "./schemas.ts";
import { requireCaller } from "../owned-resource.ts";
import { presentWatchlist, WATCHLIST_OPERATION } from "./watchlist-operation.ts";

export const createWatchlist = defineOperation({
  ...WATCHLIST_OPERATION,
  kind: "single",
  id: "createWatchlist",
  method: "post",
  path: "/api/v1/watchlists",
  summary: "Create a list of wallet addresses.",
  description:
    "The list's id is a value of the filter `watchlist` in the stream, in the replay of events and in the trade " +
    `filters of webhooks. An account can have ${MAX_WATCHLISTS} lists; one more is 409.`,
  params: {},
  reasons: ["watchlist_limit_reached"],
  idempotent: true,
  object: "watchlist",
  data: WatchlistSummary,
  body: WatchlistContent,
  async handle({ body }, context) {
    const row = await insertWatchlist(
      context.db,
      requireCaller(context.principal).accountId,
      body,
      MAX_WATCHLISTS,
      context.now,
    );
    if (row === null) throw new ApiError("watchlist_limit_reached");
    return { data: presentWatchlist(row) };
  },
});
