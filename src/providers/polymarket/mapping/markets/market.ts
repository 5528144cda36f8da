import { categoryOfTags } from "../../../../domain/categories/categories.ts";
import type { ProviderEvent, ProviderMarket } from "../../../../platform/provider.ts";
import type { Event, Market } from "../../payloads/markets/market.ts";
import { toOutcomes } from "./outcomes.ts";

/** @returns null for a market without a condition id: it is announced, but not tradable yet */
export function toMarket(market: Market): ProviderMarket | null {
  if (market.conditionId === null) return null;
  const event = market.events[0] ?? null;
  const tags = [...new Set([...market.tags, ...(event?.tags ?? [])])];
  const gameId = market.gameId ?? event?.gameId ?? null;
  const isGame = gameId !== null || market.sportsMarketType !== null;
  return {
    conditionId: market.conditionId,
    providerMarketId: market.id,
    event: event === null ? null : toEvent(event, tags),
    title: market.question,
    slug: market.slug,
    description: market.description,
    image: market.image,
    icon: market.icon,
    category: categoryOfTags(tags) ?? categoryOfTags(legacyTags(market, event)),
    tags,
    protocolVersion: market.version === "v2" ? "v2" : "v1",
    negRisk: market.negRisk,
    marketType: market.sportsMarketType,
    gameId,
    closed: market.closed,
    createdAt: market.createdAt,
    startAt: market.startDate,
    endAt: market.endDate,
    closedAt: market.closedTime,
    // A postponed game changes its event's start time first. Markets that are not games can carry a stray
    // game time.
    gameStartAt: isGame ? (event?.startTime ?? market.gameStartTime) : null,
    volumeUsd: market.volume ?? market.volumeNum,
    volume24hUsd: market.volume24hr,
    liquidityUsd: market.liquidity ?? market.liquidityNum,
    resolutionStatus: market.umaResolutionStatus ?? market.resolutionStatus,
    outcomes: toOutcomes(market),
  };
}

export function toEvent(event: Event, tags: readonly string[]): ProviderEvent {
  return {
    providerEventId: event.id,
    slug: event.slug,
    title: event.title,
    image: event.image ?? event.icon,
    seriesSlug: seriesOf(event),
    tags: event.tags.length > 0 ? event.tags : tags,
    startAt: event.startTime ?? event.startDate,
    endAt: event.endDate,
  };
}

const seriesOf = (event: Event) => event.seriesSlug ?? event.series[0]?.slug ?? null;

/**
 * The category field that preceded tags, and the series, which names the sport of a market whose tags do not.
 */
function legacyTags(market: Market, event: Event | null): string[] {
  return [market.category, event === null ? null : seriesOf(event)].filter((tag) => tag !== null);
}
