import type { Operation } from "../../api/operation.ts";
import { exploreMarkets } from "./explore-markets.ts";
import { getMarketSnapshot } from "./get-market-snapshot.ts";
import { searchMarkets } from "./search-markets.ts";

export const MARKET_OPERATIONS: readonly Operation[] = [searchMarkets, exploreMarkets, getMarketSnapshot];
