import type { ProviderMarket, ProviderResolution } from "../../../../src/platform/provider.ts";
import { conditionOf, tokenOf } from "./provider-trades.ts";

/** The provider's object of the market that `aTrade` names by number. */
export function aProviderMarket(market: number, facts: Partial<ProviderMarket> = {}): ProviderMarket {
  return {
    conditionId: conditionOf(market),
    providerMarketId: String(market),
    event: null,
    title: `Market ${market}`,
    slug: `market-${market}`,
    description: null,
    image: null,
    icon: null,
    category: null,
    tags: [],
    protocolVersion: "v1",
    negRisk: null,
    marketType: null,
    gameId: null,
    closed: false,
    createdAt: null,
    startAt: null,
    endAt: null,
    closedAt: null,
    gameStartAt: null,
    volumeUsd: null,
    volume24hUsd: null,
    liquidityUsd: null,
    resolutionStatus: null,
    outcomes: ([0, 1] as const).map((outcome) => ({
      tokenId: tokenOf(market, outcome),
      outcomeIndex: outcome,
      label: outcome === 0 ? "Yes" : "No",
      price: null,
      lastTradePrice: null,
      bestBid: null,
      bestAsk: null,
    })),
    ...facts,
  };
}

/**
 * @param firstPpm payout of the first outcome in millionths; the second gets the rest. Null: disputed, not
 * resolved
 * @param resolvedAt null when the provider gives no time
 */
export function aResolution(
  market: number,
  firstPpm: number | null,
  resolvedAt: Date | null = new Date(1_770_000_000_000),
): ProviderResolution {
  return {
    conditionId: conditionOf(market),
    status: firstPpm === null ? "disputed" : "resolved",
    payoutsPpm: firstPpm === null ? null : [firstPpm, 1_000_000 - firstPpm],
    resolvedAt: firstPpm === null ? null : resolvedAt,
    expectedAt: null,
  };
}
