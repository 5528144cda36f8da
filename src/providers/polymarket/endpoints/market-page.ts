import type { ProviderPage, ProviderMarket } from "../../../platform/provider.ts";
import { buildUrl } from "../http/build-url.ts";
import { toMarket } from "../mapping/markets/market.ts";
import { parseProviderRecords } from "../payloads/parse-provider-records.ts";
import { Market, MarketPage } from "../payloads/markets/market.ts";
import type { Source } from "./source.ts";

/** Maximum page size; the provider silently reduces a larger limit. */
const PAGE_ROWS = 100;

export interface MarketFilter {
  /** Always sent, because the provider treats its absence as false. */
  readonly closed: boolean;
  /** Null for all markets. */
  readonly conditionIds: readonly string[] | null;
}

/** Reads one page of Gamma's keyset walk, newest markets first. */
export async function readMarketPage(
  source: Source,
  filter: MarketFilter,
  cursor: string | null,
): Promise<ProviderPage<ProviderMarket>> {
  const query = {
    closed: filter.closed,
    condition_ids: filter.conditionIds,
    order: "startDate",
    ascending: false,
    include_tag: true,
    limit: PAGE_ROWS,
    after_cursor: cursor,
  };
  const page = await source.http.read({
    route: "gamma.markets",
    call: () => ({ url: buildUrl(source.urls.gammaUrl, "/markets/keyset", query) }),
    schema: MarketPage,
    findFault: (response) =>
      cursor !== null && response.next_cursor === cursor ? "the next cursor equals the requested one" : null,
  });
  return { ...parseProviderRecords(page.markets, Market, toMarket), nextCursor: page.next_cursor };
}
