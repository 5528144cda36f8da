import type { Page, ProviderMarket } from "../../../ports/provider.ts";
import { addressOf } from "../http/query.ts";
import { toMarket } from "../mapping/market.ts";
import { fitRecords } from "../payloads/fit-records.ts";
import { Market, MarketPage } from "../payloads/market.ts";
import type { Source } from "./source.ts";

/** The most the provider gives; it cuts a larger limit to this in silence. */
const ROWS = 100;

export interface MarketFilter {
  /** Always sent: the provider takes its absence for false. */
  readonly closed: boolean;
  /** Null for all markets. */
  readonly conditionIds: readonly string[] | null;
}

/** One page of Gamma's keyset walk, the newest markets first. */
export async function readMarketPage(source: Source, filter: MarketFilter, cursor: string | null): Promise<Page<ProviderMarket>> {
  const query = {
    closed: filter.closed,
    condition_ids: filter.conditionIds,
    order: "startDate",
    ascending: false,
    include_tag: true,
    limit: ROWS,
    after_cursor: cursor,
  };
  const page = await source.http.read({
    route: "gamma.markets",
    call: () => ({ url: addressOf(source.urls.gammaUrl, "/markets/keyset", query) }),
    schema: MarketPage,
    findFault: (answer) => (cursor !== null && answer.next_cursor === cursor ? "the cursor leads to itself" : null),
  });
  return { ...fitRecords(page.markets, Market, toMarket), nextCursor: page.next_cursor };
}
