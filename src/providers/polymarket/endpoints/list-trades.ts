import type { Page, ProviderTrade, TradeFeed } from "../../../ports/provider.ts";
import { toTrade } from "../mapping/trade.ts";
import { TradeRow } from "../payloads/trade.ts";
import { readDataPage } from "./data-page.ts";
import type { Source } from "./source.ts";

/** The most the provider gives. */
const ROWS = 1000;

export function listTrades(source: Source, feed: TradeFeed, cursor: string | null): Promise<Page<ProviderTrade>> {
  return readDataPage(source, {
    route: "data.trades",
    path: "/v2/trades",
    query: { taker_only: feed === "takers", limit: ROWS },
    cursor,
    schema: TradeRow,
    map: toTrade,
  });
}
