import { defineAlias, type Operation } from "../../api/operation.ts";
import { DEPRECATION } from "../deprecation.ts";
import { listCounterpartyExecutions } from "./counterparties/list-counterparty-executions.ts";
import { listCounterpartyMakers } from "./counterparties/list-counterparty-makers.ts";
import { getLargeTrade } from "./get-large-trade.ts";
import { listLargeTradeHistory } from "./list-large-trade-history.ts";
import { listLargeTrades } from "./list-large-trades.ts";

const WHALE_TRADES = "/api/v1/whale-trades";

export const LARGE_TRADE_OPERATIONS: readonly Operation[] = [
  listLargeTrades,
  listLargeTradeHistory,
  getLargeTrade,
  listCounterpartyExecutions,
  listCounterpartyMakers,
  defineAlias(listLargeTrades, {
    ...DEPRECATION,
    id: "listWhaleTrades",
    path: WHALE_TRADES,
    mcpTool: "get_whale_trades",
  }),
  defineAlias(listLargeTradeHistory, {
    ...DEPRECATION,
    id: "listWhaleTradeHistory",
    path: `${WHALE_TRADES}/history`,
    mcpTool: "get_whale_trades_history",
  }),
  defineAlias(getLargeTrade, {
    ...DEPRECATION,
    id: "getWhaleTrade",
    path: `${WHALE_TRADES}/{id}`,
    mcpTool: "get_whale_trade",
    object: "whale_trade",
  }),
  defineAlias(listCounterpartyExecutions, {
    ...DEPRECATION,
    id: "listWhaleTradeCounterpartyExecutions",
    path: `${WHALE_TRADES}/{id}/counterparties/executions`,
    mcpTool: null,
  }),
  defineAlias(listCounterpartyMakers, {
    ...DEPRECATION,
    id: "listWhaleTradeCounterpartyMakers",
    path: `${WHALE_TRADES}/{id}/counterparties/executions/{execution_id}/makers`,
    mcpTool: null,
  }),
];
