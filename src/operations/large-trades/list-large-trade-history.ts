import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, instantParam, textParam } from "../../api/request/query-params.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import { listLargeTrades as listRows } from "../../queries/trades/large-trades.ts";
import { DataQuality } from "../data-quality.ts";
import { PLATFORM_FILTER } from "../shared-params.ts";
import { LARGE_TRADE_QUERY, toLargeTradeFilters } from "./large-trade-filters.ts";
import { presentLargeTrade, presentLargeTradeQuality } from "./present-large-trade.ts";
import { LARGE_TRADE_HISTORY_META, LargeTrade } from "./schemas.ts";

const CursorPosition = z.object({ tradedAt: z.string(), id: z.number().int(), share: z.string().nullable() });

export const listLargeTradeHistory = defineOperation({
  kind: "list",
  id: "listLargeTradeHistory",
  method: "get",
  path: "/api/v1/large-trades/history",
  tag: "Large trades",
  summary: "List stored large trades by period, market or trader.",
  description:
    "Lists detected and stored large trades, newest first by default. The provider is not queried, so a trade " +
    "that was missed stays missing.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    ...LARGE_TRADE_QUERY,
    condition_id: textParam().meta({
      description: "Only this market, by condition id. An unknown market returns an empty list. All when left out.",
      example: `0x${"7".repeat(64)}`,
    }),
    trader: textParam().meta({
      description:
        "Only this trader, by wallet address, trd_ id or username. An unknown trader returns an " +
        "empty list. All when left out.",
      example: "trd_12",
    }),
    platform: enumParam(["polymarket", "all"], "all").meta(PLATFORM_FILTER),
    from: instantParam().meta({
      description: "Start of the period, included. No bound when left out.",
      example: "2026-11-01T00:00:00Z",
    }),
    to: instantParam().meta({
      description: "End of the period, excluded; must be later than `from`. No bound when left out.",
      example: "2026-11-20T12:00:00Z",
    }),
  },
  reasons: ["cursor_expired"],
  conditional: true,
  cacheSeconds: 2,
  cacheTags: ["large_trades"],
  staleWhileRevalidate: true,
  mcpTool: "get_large_trades_history",
  item: LargeTrade,
  cursor: { prefix: "wth_", position: CursorPosition },
  topLevel: { data_quality: DataQuality },
  meta: LARGE_TRADE_HISTORY_META,
  async handle({ query, cursor }, { db }) {
    const { from, to } = query;
    if (from !== null && to !== null && to <= from)
      throw new ApiError("invalid_query", { param: "to", message: "to must be later than from." });
    const filters = {
      ...toLargeTradeFilters(query),
      // A malformed condition id becomes "", which matches no market, as an unknown condition id does.
      conditionId: query.condition_id === null ? null : (parseConditionId(query.condition_id) ?? ""),
      trader: query.trader === null ? null : toTraderFilter(query.trader),
      from,
      to,
    };
    const page = await listRows(db, filters, { sort: query.sort, cursor: cursor, limit: query.limit });
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const share = last === undefined || query.sort === "recent" ? null : last.market_volume_share;
    return {
      data: rows.map(presentLargeTrade),
      next:
        page.rows.length > query.limit && last !== undefined ? { tradedAt: last.traded_at, id: last.id, share } : null,
      topLevel: { data_quality: presentLargeTradeQuality(page.feedReadAt) },
      meta: {
        source: { kind: "local_replay", table: "whale_alerts", provider_fetch_at_request_time: false },
        completeness: {
          status: "best_effort",
          reason: "Trades are kept from when the service first read the provider's feed.",
        },
      },
    };
  },
});

function toTraderFilter(text: string): { id: number } | { name: string } {
  const id = parseId("trader", text);
  return id === null ? { name: text.toLowerCase() } : { id };
}
