import type { ProviderPage, ProviderTrade, TradeFeed } from "../../../platform/provider.ts";
import { toTrade } from "../mapping/trades/trade.ts";
import { TradeRow } from "../payloads/trades/trade.ts";
import { readDataPage } from "./data-page.ts";
import type { Source } from "./source.ts";

/** Maximum page size of the provider. */
const PAGE_ROWS = 1000;

export function listTrades(
  source: Source,
  feed: TradeFeed,
  cursor: string | null,
): Promise<ProviderPage<ProviderTrade>> {
  return readDataPage(source, {
    route: "data.trades",
    path: "/v2/trades",
    query: { taker_only: feed === "takers", limit: PAGE_ROWS },
    cursor,
    schema: TradeRow,
    map: toTrade,
  });
}
