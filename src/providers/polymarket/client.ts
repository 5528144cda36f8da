import type { Config } from "../../config.ts";
import type { Provider } from "../../platform/provider.ts";
import { findBooks } from "./endpoints/markets/find-books.ts";
import { findLegMarkets } from "./endpoints/markets/find-leg-markets.ts";
import { findMarkets } from "./endpoints/markets/find-markets.ts";
import { findQuestions } from "./endpoints/markets/find-questions.ts";
import { findTokenMarkets } from "./endpoints/markets/find-token-markets.ts";
import { findResolutions } from "./endpoints/markets/find-resolutions.ts";
import { findLeaderboardStanding } from "./endpoints/traders/find-leaderboard-standing.ts";
import { getServingLag } from "./endpoints/get-serving-lag.ts";
import { listActivity } from "./endpoints/traders/list-activity.ts";
import { listComboActivity, listComboPositions } from "./endpoints/traders/list-combos.ts";
import { findGameEvents, listGameEvents } from "./endpoints/list-game-events.ts";
import { listHolders } from "./endpoints/markets/list-holders.ts";
import { listBoard } from "./endpoints/traders/list-board.ts";
import { listPositions } from "./endpoints/traders/list-positions.ts";
import { listTrades } from "./endpoints/list-trades.ts";
import { readMarketPage } from "./endpoints/markets/market-page.ts";
import type { Source } from "./endpoints/source.ts";
import { ProviderHttp, type HttpSettings } from "./http/provider-http.ts";
import { ProviderRequestBudget } from "./http/provider-request-budget.ts";

export interface PolymarketSettings extends Omit<HttpSettings, "budget"> {
  readonly config: Pick<Config["provider"], "gammaUrl" | "dataUrl" | "clobUrl">;
  /** Shared between clients that use the same IP address; a new full budget when absent. */
  readonly budget?: ProviderRequestBudget;
}

export interface PolymarketProvider extends Provider {
  /** How far the provider's Data API lags behind the chain, in seconds. */
  getServingLag(): Promise<number>;
}

/** Creates the provider client over Polymarket's HTTP services. */
export function createPolymarketProvider({
  config,
  budget = new ProviderRequestBudget(),
  ...settings
}: PolymarketSettings): PolymarketProvider {
  const { clock, random } = settings;
  const source: Source = {
    urls: config,
    http: new ProviderHttp({ ...settings, budget }),
    cacheBuster: () => `${clock.now().toString(36)}${Math.floor(random() * 36 ** 6).toString(36)}`,
  };
  return {
    listTrades: (feed, cursor) => listTrades(source, feed, cursor),
    listActivity: (address, since, cursor) => listActivity(source, address, since, cursor),
    listMarkets: (state, cursor) => readMarketPage(source, { closed: state === "closed" }, cursor),
    findMarkets: (conditionIds) => findMarkets(source, conditionIds),
    findQuestions: (providerEventId) => findQuestions(source, providerEventId),
    findResolutions: (conditionIds) => findResolutions(source, conditionIds),
    listHolders: (conditionId, cursor) => listHolders(source, conditionId, cursor),
    listLeaderboard: (period, limit) => listBoard(source, period, limit),
    findAllTimeStats: (address) => findLeaderboardStanding(source, address),
    listPositions: (address, state, cursor) => listPositions(source, address, state, cursor),
    listComboPositions: (address, cursor) => listComboPositions(source, address, cursor),
    listComboActivity: (address, cursor) => listComboActivity(source, address, cursor),
    findLegMarkets: (positionIds) => findLegMarkets(source, positionIds),
    findTokenMarkets: (tokenIds) => findTokenMarkets(source, tokenIds),
    findBooks: (tokenIds) => findBooks(source, tokenIds),
    listGameEvents: (list, since, cursor) => listGameEvents(source, list, since, cursor),
    findGameEvents: (gameIds) => findGameEvents(source, gameIds),
    getServingLag: () => getServingLag(source),
  };
}
