import { defineAlias, type Operation } from "../../api/operation.ts";
import { getLargeTrade } from "./get-large-trade.ts";
import { listLargeTradeHistory } from "./list-large-trade-history.ts";
import { listLargeTrades } from "./list-large-trades.ts";

const OLD_SPELLING = { since: new Date("2026-11-01T00:00:00Z"), sunset: new Date("2028-11-01T00:00:00Z") };

export const LARGE_TRADE_OPERATIONS: readonly Operation[] = [
  listLargeTrades,
  listLargeTradeHistory,
  getLargeTrade,
  defineAlias(listLargeTrades, { ...OLD_SPELLING, id: "listWhaleTrades", path: "/api/v1/whale-trades", mcpTool: "get_whale_trades" }),
  defineAlias(listLargeTradeHistory, {
    ...OLD_SPELLING,
    id: "listWhaleTradeHistory",
    path: "/api/v1/whale-trades/history",
    mcpTool: "get_whale_trades_history",
  }),
  defineAlias(getLargeTrade, {
    ...OLD_SPELLING,
    id: "getWhaleTrade",
    path: "/api/v1/whale-trades/{id}",
    mcpTool: "get_whale_trade",
    object: "whale_trade",
  }),
];
