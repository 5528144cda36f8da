import type { ProviderMarket, ProviderPage } from "../../../../platform/provider.ts";
import { paddedConditionId } from "../../mapping/trades/second-protocol-id.ts";
import { lookUpMarkets } from "./look-up-markets.ts";
import { readMarketPage } from "./market-page.ts";
import type { Source } from "../source.ts";

/** Reads markets by condition id, open ones first. */
export const findMarkets = (source: Source, conditionIds: readonly string[]): Promise<ProviderPage<ProviderMarket>> =>
  lookUpMarkets(
    conditionIds,
    ({ conditionId }) => [conditionId],
    (ids, closed, cursor) => {
      // The width in which Gamma writes second-protocol ids is unknown, so both forms are requested.
      const forms = [...new Set(ids.flatMap((id) => [id, paddedConditionId(id)]))];
      return readMarketPage(source, { closed, conditionIds: forms }, cursor);
    },
  );
