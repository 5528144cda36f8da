import { ApiError } from "../../../api/errors.ts";

/** The same error for an id that does not exist and for another account's. */
export const unknownFilterWatchlist = (): ApiError =>
  new ApiError("invalid_body", {
    param: "trade_filters.watchlist",
    message: "This account has no watchlist with this id.",
  });
