import type { MarketHint, ProviderEvent, ProviderMarket, TraderHint } from "../../src/platform/provider.ts";

// The traders, markets and outcome tokens of a random history, by number.

export const hex = (n: number, digits: number) => `0x${n.toString(16).padStart(digits, "0")}`;
export const addressOf = (wallet: number) => hex(wallet + 1, 40);
/** Every other late market is a combination, for which the provider has no object. */
export const isCombinationNumber = (market: number): boolean => market % (2 * FIVE) === 2 * FIVE - 1;
export const conditionOf = (market: number) =>
  isCombinationNumber(market) ? `0x03${hex(market + 1, 60).slice(2)}` : hex(market + 1, 64);
export const tokenOf = (market: number, outcome: number) => String(1_000_000 + market * 2 + outcome);

export const walletHint = (wallet: number): TraderHint => ({
  address: addressOf(wallet),
  username: `wallet-${wallet}`,
  profileImage: null,
});
export const marketHint = (market: number): MarketHint => ({
  conditionId: conditionOf(market),
  title: `Market ${market}`,
  slug: `market-${market}`,
  eventSlug: `event-${market}`,
  icon: null,
});

/**
 * Markets come in fives: the last is read late, and in every other five the first four are the questions of a
 * neg-risk event.
 */
export const FIVE = 5;
export const isKnownAtFirst = (market: number) => market % FIVE !== FIVE - 1;
export const negRiskEventOf = (market: number): number | null =>
  isKnownAtFirst(market) && Math.floor(market / FIVE) % 2 === 0 ? Math.floor(market / FIVE) : null;
export const questionsOf = (event: number): readonly number[] =>
  Array.from({ length: FIVE - 1 }, (_, index) => event * FIVE + index);

const anEvent = (event: number): ProviderEvent => ({
  providerEventId: String(event),
  slug: `neg-risk-${event}`,
  title: null,
  image: null,
  seriesSlug: null,
  tags: [],
  startAt: null,
  endAt: null,
});

/** The provider's object of a market without trades. */
export function aMarket(n: number): ProviderMarket {
  const event = negRiskEventOf(n);
  const hint = marketHint(n);
  return {
    ...hint,
    title: `Market ${n}`,
    event: event === null ? null : anEvent(event),
    providerMarketId: String(n),
    description: null,
    image: null,
    category: null,
    tags: [],
    protocolVersion: "v1",
    negRisk: event !== null,
    marketType: null,
    gameId: null,
    closed: false,
    createdAt: null,
    startAt: new Date(1_700_000_000_000),
    endAt: null,
    closedAt: null,
    gameStartAt: null,
    volumeUsd: null,
    volume24hUsd: null,
    liquidityUsd: null,
    resolutionStatus: null,
    outcomes: ["Yes", "No"].map((label, outcomeIndex) => ({
      tokenId: tokenOf(n, outcomeIndex),
      outcomeIndex,
      label,
      price: null,
      lastTradePrice: null,
      bestBid: null,
      bestAsk: null,
    })),
  };
}
