import type { Operation } from "../../api/operation.ts";
import { createWatchlist } from "./create-watchlist.ts";
import { deleteWatchlist } from "./delete-watchlist.ts";
import { getWatchlist } from "./get-watchlist.ts";
import { listWatchlists } from "./list-watchlists.ts";
import { replaceWatchlist } from "./replace-watchlist.ts";

export const WATCHLIST_OPERATIONS: readonly Operation[] = [
  listWatchlists,
  createWatchlist,
  getWatchlist,
  replaceWatchlist,
  deleteWatchlist,
];
