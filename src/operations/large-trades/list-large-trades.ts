import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import {
  listLargeTrades as listRows,
  listLargeTradesSince,
  type LargeTradePage,
} from "../../queries/trades/large-trades.ts";
import { DataQuality } from "../data-quality.ts";
import { LARGE_TRADE_QUERY, toLargeTradeFilters } from "./large-trade-filters.ts";
import { LARGE_TRADE_ID_PATTERN, parseRowId } from "../row-id.ts";
import { presentLargeTrade, presentLargeTradeQuality } from "./present-large-trade.ts";
import { LargeTrade } from "./schemas.ts";

/** The last row of a page: in order of time or share, or in commit order for a list with `since`. */
const CursorPosition = z.union([
  z.object({ tradedAt: z.string(), id: z.number().int(), share: z.string().nullable() }),
  z.object({ commitXid: z.string().regex(/^\d+$/), id: z.number().int() }),
]);

const UNKNOWN_SINCE = {
  param: "since",
  message:
    "since must be the id of a recorded trade that at most 10,000 trades have followed. Start again without since.",
};

export const listLargeTrades = defineOperation({
  kind: "list",
  id: "listLargeTrades",
  method: "get",
  path: "/api/v1/large-trades",
  tag: "Large trades",
  summary: "List large trades, newest first.",
  description:
    "With `since`, lists the trades that became visible after that trade, in commit order. To poll without " +
    "skipping a trade, send the newest id of the last response.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    ...LARGE_TRADE_QUERY,
    since: textParam({ pattern: LARGE_TRADE_ID_PATTERN }).meta({
      description:
        "Only trades that became visible after this trade, by its wt_ id or the integer in it. Only " +
        "with sort=recent. An unknown trade, or one that more than 10,000 trades have followed, " +
        "returns 400. All when left out.",
      example: "wt_81",
    }),
  },
  reasons: ["cursor_expired"],
  conditional: true,
  cacheSeconds: 1,
  cacheTags: ["large_trades"],
  staleWhileRevalidate: true,
  mcpTool: "get_large_trades",
  item: LargeTrade,
  cursor: { prefix: "wt_", position: CursorPosition },
  topLevel: { data_quality: DataQuality },
  async handle({ query, cursor }, { db }) {
    const filters = toLargeTradeFilters(query);
    if (query.since === null) {
      const after = cursor !== null && "tradedAt" in cursor ? cursor : null;
      const page = await listRows(db, filters, { sort: query.sort, cursor: after, limit: query.limit });
      return presentPage(page, query.limit, (row) => ({
        tradedAt: row.traded_at,
        id: row.id,
        share: query.sort === "recent" ? null : row.market_volume_share,
      }));
    }
    if (query.sort !== "recent")
      throw new ApiError("invalid_query", { param: "since", message: "since works with sort=recent only." });
    const sinceId = parseRowId(query.since);
    const after = cursor !== null && "commitXid" in cursor ? cursor : null;
    const page =
      sinceId === null ? null : await listLargeTradesSince(db, filters, sinceId, { cursor: after, limit: query.limit });
    if (page === null) throw new ApiError("invalid_query", UNKNOWN_SINCE);
    return presentPage(page, query.limit, (row) => ({ commitXid: row.commit_xid, id: row.id }));
  },
});

function presentPage(
  page: LargeTradePage,
  limit: number,
  positionOf: (row: LargeTradePage["rows"][number]) => z.input<typeof CursorPosition>,
) {
  const rows = page.rows.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: rows.map(presentLargeTrade),
    next: page.rows.length > limit && last !== undefined ? positionOf(last) : null,
    topLevel: { data_quality: presentLargeTradeQuality(page.feedReadAt) },
  };
}
