import { defineAlias, type Operation } from "../../api/operation.ts";
import { DEPRECATION } from "../deprecation.ts";
import { batchGetMarketFlow } from "./batch-get-market-flow.ts";
import { exploreMarkets } from "./explore-markets.ts";
import { getMarketCandles } from "./get-market-candles.ts";
import { getMarketContextMarkdown } from "./get-market-context-markdown.ts";
import { getMarketFlow } from "./get-market-flow.ts";
import { getMarketHolders } from "./get-market-holders.ts";
import { getMarketSnapshot } from "./get-market-snapshot.ts";
import { searchMarkets } from "./search-markets.ts";

export const MARKET_OPERATIONS: readonly Operation[] = [
  searchMarkets,
  exploreMarkets,
  getMarketSnapshot,
  getMarketCandles,
  getMarketFlow,
  getMarketHolders,
  getMarketContextMarkdown,
  batchGetMarketFlow,
  defineAlias(getMarketFlow, {
    ...DEPRECATION,
    id: "getMarketIntel",
    path: "/api/v1/market/{condition_id}/intel",
    mcpTool: "get_market_intel",
    object: "market_intel",
  }),
  defineAlias(batchGetMarketFlow, {
    ...DEPRECATION,
    id: "batchGetMarketIntel",
    path: "/api/v1/markets/intel/batch",
    mcpTool: "batch_get_market_intel",
    object: "market_intel_batch",
  }),
];
