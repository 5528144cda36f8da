import type { ProviderPage, ProviderMarket } from "../../../../platform/provider.ts";
import { buildUrl } from "../../http/build-url.ts";
import { toMarket } from "../../mapping/markets/market.ts";
import { parseProviderRecords } from "../../payloads/parse-provider-records.ts";
import { Market, MarketPage } from "../../payloads/markets/market.ts";
import type { Source } from "../source.ts";

/** Maximum page size; the provider silently reduces a larger limit. */
const PAGE_ROWS = 100;

export interface MarketFilter {
  /** Always sent, because the provider treats its absence as false. */
  readonly closed: boolean;
  readonly conditionIds?: readonly string[];
  readonly positionIds?: readonly string[];
  readonly tokenIds?: readonly string[];
}

/** Reads one page of Gamma's keyset walk, newest markets first. */
export const readMarketPage = (
  source: Source,
  filter: MarketFilter,
  cursor: string | null,
): Promise<ProviderPage<ProviderMarket>> => readMarketPageAs(source, filter, cursor, toMarket);

/** @param toRow null leaves a market out */
export async function readMarketPageAs<Row>(
  source: Source,
  { closed, conditionIds, positionIds, tokenIds }: MarketFilter,
  cursor: string | null,
  toRow: (market: Market) => Row | null,
): Promise<ProviderPage<Row>> {
  const query = {
    closed,
    condition_ids: conditionIds ?? null,
    position_ids: positionIds ?? null,
    clob_token_ids: tokenIds ?? null,
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
  return { ...parseProviderRecords(page.markets, Market, toRow), nextCursor: page.next_cursor };
}
