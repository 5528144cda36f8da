import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, instantParam, textParam } from "../../api/params.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import { listLargeTrades as listRows } from "../../queries/large-trades.ts";
import { DataQuality } from "../data-quality.ts";
import { PLATFORM_FILTER } from "../param-words.ts";
import { SHARED_QUERY, toFilters } from "./filters.ts";
import { presentLargeTrade, presentTradeQuality } from "./present-large-trade.ts";
import { HistoryMeta, LargeTrade } from "./schemas.ts";

const Position = z.object({ tradedAt: z.string(), id: z.number().int(), share: z.string().nullable() });

export const listLargeTradeHistory = defineOperation({
  kind: "list",
  id: "listLargeTradeHistory",
  method: "get",
  path: "/api/v1/large-trades/history",
  tag: "Large trades",
  summary: "List stored large trades of a period, a market or a wallet.",
  description:
    "What was detected and kept, newest first unless sorted otherwise. The provider is not asked, so what was missed stays missing.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    ...SHARED_QUERY,
    condition_id: textParam().meta({
      description: "Only this market, by its condition id. One that is not known lists nothing. All when left out.",
      example: `0x${"7".repeat(64)}`,
    }),
    trader: textParam().meta({
      description: "Only this wallet: its address, trd_ id or username. One that is not known lists nothing. All when left out.",
      example: "trd_12",
    }),
    platform: enumParam(["polymarket", "all"], "all").meta(PLATFORM_FILTER),
    from: instantParam().meta({ description: "First instant, included. No bound when left out.", example: "2026-11-01T00:00:00Z" }),
    to: instantParam().meta({
      description: "Last instant, not included; has to be later than `from`. No bound when left out.",
      example: "2026-11-20T12:00:00Z",
    }),
  },
  reasons: ["cursor_expired"],
  conditional: true,
  cacheSeconds: 2,
  restsOn: ["large_trades"],
  whileRefreshed: true,
  mcpTool: "get_large_trades_history",
  item: LargeTrade,
  cursor: { prefix: "wth_", position: Position },
  topLevel: { data_quality: DataQuality },
  meta: HistoryMeta,
  async handle({ query, cursor }, { db }) {
    const { from, to } = query;
    if (from !== null && to !== null && to <= from)
      throw new ApiError("invalid_query", { param: "to", message: "to must be later than from." });
    const filters = {
      ...toFilters(query),
      // An id that cannot be one selects nothing, as does one nobody knows.
      conditionId: query.condition_id === null ? null : (parseConditionId(query.condition_id) ?? ""),
      trader: query.trader === null ? null : traderOf(query.trader),
      from,
      to,
    };
    const page = await listRows(db, filters, { sort: query.sort, place: cursor, limit: query.limit });
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const share = last === undefined || query.sort === "recent" ? null : last.market_volume_share;
    return {
      data: rows.map(presentLargeTrade),
      next: page.rows.length > query.limit && last !== undefined ? { tradedAt: last.traded_at, id: last.id, share } : null,
      topLevel: { data_quality: presentTradeQuality(page.feedReadAt) },
      meta: {
        source: { kind: "local_replay", table: "whale_alerts", provider_fetch_at_request_time: false },
        completeness: { status: "best_effort", reason: "Trades are kept from when the service first read the provider's feed." },
      },
    };
  },
});

function traderOf(text: string): { id: number } | { name: string } {
  const id = parseId("trader", text);
  return id === null ? { name: text.toLowerCase() } : { id };
}
