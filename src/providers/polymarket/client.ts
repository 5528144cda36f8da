import type { Config } from "../../config.ts";
import type { Provider } from "../../ports/provider.ts";
import { findBooks } from "./endpoints/find-books.ts";
import { findMarkets } from "./endpoints/find-markets.ts";
import { findQuestions } from "./endpoints/find-questions.ts";
import { findResolutions } from "./endpoints/find-resolutions.ts";
import { findStanding } from "./endpoints/find-standing.ts";
import { getServingLag } from "./endpoints/get-serving-lag.ts";
import { listActivity } from "./endpoints/list-activity.ts";
import { listHolders } from "./endpoints/list-holders.ts";
import { listBoard } from "./endpoints/list-board.ts";
import { listPositions } from "./endpoints/list-positions.ts";
import { listTrades } from "./endpoints/list-trades.ts";
import { readMarketPage } from "./endpoints/market-page.ts";
import type { Source } from "./endpoints/source.ts";
import { ProviderHttp, type HttpSettings } from "./http/provider-http.ts";
import { RequestBudget } from "./http/request-budget.ts";

export interface PolymarketSettings extends Omit<HttpSettings, "budget"> {
  readonly config: Pick<Config["provider"], "gammaUrl" | "dataUrl" | "clobUrl">;
  /** Shared between clients that leave by the same address; a full one of its own when absent. */
  readonly budget?: RequestBudget;
}

export interface PolymarketProvider extends Provider {
  /** How far the provider's Data API trails the chain, in seconds. */
  getServingLag(): Promise<number>;
}

/** The provider over its HTTP services. */
export function createPolymarketProvider({ config, budget = new RequestBudget(), ...settings }: PolymarketSettings): PolymarketProvider {
  const { now, random } = settings;
  const source: Source = {
    urls: config,
    http: new ProviderHttp({ ...settings, budget }),
    nonce: () => `${now().toString(36)}${Math.floor(random() * 36 ** 6).toString(36)}`,
  };
  return {
    listTrades: (feed, cursor) => listTrades(source, feed, cursor),
    listActivity: (address, since, cursor) => listActivity(source, address, since, cursor),
    listMarkets: (state, cursor) => readMarketPage(source, { closed: state === "closed", conditionIds: null }, cursor),
    findMarkets: (conditionIds) => findMarkets(source, conditionIds),
    findQuestions: (providerEventId) => findQuestions(source, providerEventId),
    findResolutions: (conditionIds) => findResolutions(source, conditionIds),
    listHolders: (conditionId, cursor) => listHolders(source, conditionId, cursor),
    listBoard: (period, limit) => listBoard(source, period, limit),
    findStanding: (address) => findStanding(source, address),
    listPositions: (address, state, cursor) => listPositions(source, address, state, cursor),
    findBooks: (tokenIds) => findBooks(source, tokenIds),
    getServingLag: () => getServingLag(source),
  };
}
