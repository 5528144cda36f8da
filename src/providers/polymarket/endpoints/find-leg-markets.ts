import { chunk } from "../../../lib/chunk.ts";
import {
  ProviderUnavailable,
  type ProviderLegMarket,
  type ProviderPage,
  type QuarantinedRecord,
} from "../../../platform/provider.ts";
import { buildUrl } from "../http/build-url.ts";
import { toMarket } from "../mapping/markets/market.ts";
import { Market, MarketPage } from "../payloads/markets/market.ts";
import { parseProviderRecords } from "../payloads/parse-provider-records.ts";
import { collectPages, type PageCollection } from "./collect-pages.ts";
import type { Source } from "./source.ts";

/** Position ids in one URL, as long as fifty condition ids in both forms. */
const POSITIONS_AT_ONCE = 50;
/** Maximum page size; the provider silently reduces a larger limit. */
const PAGE_ROWS = 100;

/**
 * Reads the markets of the legs of combos by position id, open ones first. A leg's condition id does not find its
 * market: the provider writes ids of both protocols for one leg.
 */
export async function findLegMarkets(
  source: Source,
  positionIds: readonly string[],
): Promise<ProviderPage<ProviderLegMarket>> {
  const rows: ProviderLegMarket[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const requested of chunk(positionIds, POSITIONS_AT_ONCE)) {
    let missing = requested;
    for (const closed of [false, true]) {
      if (missing.length === 0) break;
      const found = await lookUp(source, missing, closed);
      rows.push(...found.rows);
      quarantined.push(...found.quarantined);
      const known = new Set(found.rows.flatMap((row) => row.positionIds));
      missing = missing.filter((id) => !known.has(id));
    }
  }
  return { rows, nextCursor: null, quarantined };
}

function lookUp(
  source: Source,
  positionIds: readonly string[],
  closed: boolean,
): Promise<PageCollection<ProviderLegMarket>> {
  const requested = new Set(positionIds);
  return collectPages(async (cursor) => {
    const query = {
      closed,
      position_ids: positionIds,
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
    const parsed = parseProviderRecords(page.markets, Market, (market) => {
      const row = toMarket(market);
      return row === null ? null : { market: row, positionIds: market.positionIds };
    });
    // The provider silently ignores a filter that it does not understand and returns arbitrary markets.
    if (parsed.rows.some((row) => !row.positionIds.some((id) => requested.has(id))))
      throw new ProviderUnavailable("gamma.markets: the response contains markets that were not requested", null);
    return { ...parsed, nextCursor: page.next_cursor };
  });
}
