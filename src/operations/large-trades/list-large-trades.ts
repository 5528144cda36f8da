import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/params.ts";
import { listLargeTrades as listRows, listLargeTradesSince, type LargeTradePage } from "../../queries/large-trades.ts";
import { DataQuality } from "../data-quality.ts";
import { SHARED_QUERY, toFilters } from "./filters.ts";
import { LARGE_TRADE_REF, parseRowRef } from "../row-ref.ts";
import { presentLargeTrade, presentTradeQuality } from "./present-large-trade.ts";
import { LargeTrade } from "./schemas.ts";

/** Where a page ended: in the order of time or share, or in commit order when polling with `since`. */
const Position = z.union([
  z.object({ tradedAt: z.string(), id: z.number().int(), share: z.string().nullable() }),
  z.object({ commitXid: z.string().regex(/^\d+$/), id: z.number().int() }),
]);

const UNKNOWN_SINCE = { param: "since", message: "since names no trade that we hold, or one that more than 10,000 have followed." };

export const listLargeTrades = defineOperation({
  kind: "list",
  id: "listLargeTrades",
  method: "get",
  path: "/api/v1/large-trades",
  tag: "Large trades",
  summary: "List large trades, newest first.",
  description:
    "With `since`, lists what became visible after that trade, in the order it was committed: poll with the newest id of the last answer and no trade is skipped.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    ...SHARED_QUERY,
    since: textParam({ pattern: LARGE_TRADE_REF }).meta({
      description:
        "Only what became visible after this trade: its wt_ id or the number in it. With sort=recent only. A trade that is not there, or that more than 10,000 have followed, is refused with 400. All when left out.",
      example: "wt_81",
    }),
  },
  reasons: ["cursor_expired"],
  conditional: true,
  cacheSeconds: 1,
  restsOn: ["large_trades"],
  whileRefreshed: true,
  mcpTool: "get_large_trades",
  item: LargeTrade,
  cursor: { prefix: "wt_", position: Position },
  topLevel: { data_quality: DataQuality },
  async handle({ query, cursor }, { db }) {
    const filters = toFilters(query);
    if (query.since === null) {
      const place = cursor !== null && "tradedAt" in cursor ? cursor : null;
      const page = await listRows(db, filters, { sort: query.sort, place, limit: query.limit });
      return presentPage(page, query.limit, (row) => ({
        tradedAt: row.traded_at,
        id: row.id,
        share: query.sort === "recent" ? null : row.market_volume_share,
      }));
    }
    if (query.sort !== "recent") throw new ApiError("invalid_query", { param: "since", message: "since goes with sort=recent only." });
    const sinceId = parseRowRef(query.since);
    const place = cursor !== null && "commitXid" in cursor ? cursor : null;
    const page = sinceId === null ? null : await listLargeTradesSince(db, filters, sinceId, { place, limit: query.limit });
    if (page === null) throw new ApiError("invalid_query", UNKNOWN_SINCE);
    return presentPage(page, query.limit, (row) => ({ commitXid: row.commit_xid, id: row.id }));
  },
});

function presentPage(page: LargeTradePage, limit: number, placeOf: (row: LargeTradePage["rows"][number]) => z.input<typeof Position>) {
  const rows = page.rows.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: rows.map(presentLargeTrade),
    next: page.rows.length > limit && last !== undefined ? placeOf(last) : null,
    topLevel: { data_quality: presentTradeQuality(page.feedReadAt) },
  };
}
