import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { MAX_WATCHLISTS } from "../../domain/watchlists/watchlist-limits.ts";
import { listWatchlists as listRows } from "../../queries/watchlists/read-watchlists.ts";
import { WatchlistSummary } from "./schemas.ts";
import { requireCaller } from "../owned-resource.ts";
import { presentWatchlist, WATCHLIST_OPERATION } from "./watchlist-operation.ts";

export const listWatchlists = defineOperation({
  ...WATCHLIST_OPERATION,
  kind: "list",
  id: "listWatchlists",
  method: "get",
  path: "/api/v1/watchlists",
  summary: "List the account's watchlists.",
  description: `Returns all lists, at most ${MAX_WATCHLISTS}, oldest first, without their addresses.`,
  params: {},
  reasons: [],
  item: WatchlistSummary,
  cursor: null,
  topLevel: { total: z.int().meta({ description: "Number of watchlists.", example: 1 }) },
  async handle(_input, context) {
    const rows = await listRows(context.db, requireCaller(context.principal).accountId);
    return { data: rows.map(presentWatchlist), next: null, topLevel: { total: rows.length } };
  },
});
