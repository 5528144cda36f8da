import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { deleteWatchlist as deleteRow } from "../../queries/watchlists/delete-watchlist.ts";
import { DeletedWatchlist } from "./schemas.ts";
import { ONE_WATCHLIST, watchlistNotFound, watchlistRef } from "./watchlist-operation.ts";

export const deleteWatchlist = defineOperation({
  ...ONE_WATCHLIST,
  id: "deleteWatchlist",
  method: "delete",
  path: "/api/v1/watchlists/{watchlist_id}",
  summary: "Delete a watchlist.",
  description:
    "A list by which a webhook endpoint filters, also a disabled one, is 409 and stays. An open stream with the list " +
    "gets no further large trade, and ends within 40 seconds with an `error` frame and `retry: false`. The id is never " +
    "used again: deleting it again is 404.",
  reasons: ["not_found", "watchlist_in_use"],
  idempotent: true,
  data: DeletedWatchlist,
  async handle({ params }, context) {
    const outcome = await deleteRow(context.db, watchlistRef(params.watchlist_id, context));
    if (outcome === "missing") throw watchlistNotFound();
    if (outcome === "used") throw new ApiError("watchlist_in_use", { param: "watchlist_id" });
    return { data: { id: params.watchlist_id, object: "watchlist" as const, deleted: true as const } };
  },
});
