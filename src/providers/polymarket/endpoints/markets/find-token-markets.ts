import type { ProviderMarket, ProviderPage } from "../../../../platform/provider.ts";
import { lookUpMarkets } from "./look-up-markets.ts";
import { readMarketPage } from "./market-page.ts";
import type { Source } from "../source.ts";

/** Reads first-protocol markets by the token id of an outcome, open ones first. */
export const findTokenMarkets = (source: Source, tokenIds: readonly string[]): Promise<ProviderPage<ProviderMarket>> =>
  lookUpMarkets(
    tokenIds,
    (row: ProviderMarket) => row.outcomes.map(({ tokenId }) => tokenId),
    (ids, closed, cursor) => readMarketPage(source, { closed, tokenIds: ids }, cursor),
  );
