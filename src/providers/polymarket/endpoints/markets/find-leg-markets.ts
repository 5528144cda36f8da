import type { ProviderLegMarket, ProviderPage } from "../../../../platform/provider.ts";
import { toMarket } from "../../mapping/markets/market.ts";
import type { Market } from "../../payloads/markets/market.ts";
import { lookUpMarkets } from "./look-up-markets.ts";
import { readMarketPageAs } from "./market-page.ts";
import type { Source } from "../source.ts";

/**
 * Reads the markets of the legs of combos by position id, open ones first. A leg's condition id does not find its
 * market: the provider writes ids of both protocols for one leg.
 */
export const findLegMarkets = (
  source: Source,
  positionIds: readonly string[],
): Promise<ProviderPage<ProviderLegMarket>> =>
  lookUpMarkets(
    positionIds,
    (row: ProviderLegMarket) => row.positionIds,
    (ids, closed, cursor) => readMarketPageAs(source, { closed, positionIds: ids }, cursor, toLegMarket),
  );

function toLegMarket(market: Market): ProviderLegMarket | null {
  const row = toMarket(market);
  return row === null ? null : { market: row, positionIds: market.positionIds };
}
