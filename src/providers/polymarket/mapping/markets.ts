import { categoryOfTags, foldCategory } from "../../../domain/categories.ts";
import { parseMicro } from "../../../domain/money.ts";
import type { ProviderEvent, ProviderMarket, ProviderOutcome } from "../../../ports/provider.ts";
import { plainDecimal } from "../payloads/common.ts";
import { GammaEvent, type GammaMarket } from "../payloads/gamma.ts";

export function toMarket(row: GammaMarket): ProviderMarket {
  // A market sits in one event in practice; an event we cannot read costs the grouping, not the market.
  const parsed = GammaEvent.safeParse(row.events?.[0]);
  const event = parsed.success ? parsed.data : null;
  const tags = tagSlugs([...(row.tags ?? []), ...(event?.tags ?? [])]);
  const closed = row.closed ?? false;
  return {
    conditionId: row.conditionId,
    providerMarketId: row.id,
    event: event === null ? null : toEvent(event, tags),
    title: row.question,
    slug: row.slug,
    description: row.description,
    image: row.image,
    icon: row.icon,
    category: categoryOfTags(tags) ?? ownCategory(row.category ?? event?.category ?? null),
    tags,
    protocolVersion: row.version ?? "v1",
    negRisk: row.negRisk ?? null,
    marketType: row.sportsMarketType,
    gameId: row.gameId,
    closed,
    createdAt: row.createdAt,
    startAt: row.startDate,
    endAt: row.endDate,
    closedAt: row.closedTime,
    gameStartAt: row.gameStartTime ?? row.eventStartTime,
    volumeUsd: row.volumeNum ?? row.volume,
    volume24hUsd: row.volume24hr,
    liquidityUsd: row.liquidityNum ?? row.liquidity,
    resolutionStatus: row.resolutionStatus ?? row.umaResolutionStatus,
    outcomes: toOutcomes(row, closed),
  };
}

function toEvent(event: GammaEvent, tags: readonly string[]): ProviderEvent {
  return {
    providerEventId: event.id,
    slug: event.slug,
    title: event.title,
    image: event.image ?? event.icon,
    seriesSlug: event.seriesSlug ?? event.series?.[0]?.slug ?? null,
    tags,
    startAt: event.startTime ?? event.startDate,
    endAt: event.endDate,
  };
}

/** Quotes are those of outcome 0; in a market of two the other outcome's are their mirror. Closed markets keep stale ones standing. */
function toOutcomes(row: GammaMarket, closed: boolean): ProviderOutcome[] {
  const tokens = row.version === "v2" ? (row.positionIds ?? []) : row.clobTokenIds;
  if (tokens.length !== row.outcomes.length || tokens.some((token) => !/^[1-9][0-9]{0,77}$/.test(token))) return [];
  const mirrored = tokens.length === 2;
  return tokens.map((tokenId, index) => {
    const price = row.outcomePrices[index] === undefined ? null : unitPrice(row.outcomePrices[index]);
    const quote = (own: string | null, other: string | null) => {
      if (closed || (index > 0 && !mirrored)) return null;
      return index === 0 ? own : complement(other);
    };
    return {
      tokenId,
      outcomeIndex: index,
      label: row.outcomes[index] ?? "",
      price,
      lastTradePrice: index === 0 ? row.lastTradePrice : mirrored ? complement(row.lastTradePrice) : null,
      bestBid: quote(row.bestBid, row.bestAsk),
      bestAsk: quote(row.bestAsk, row.bestBid),
    };
  });
}

function unitPrice(text: string): string | null {
  const plain = plainDecimal(text);
  return plain !== null && Number(plain) >= 0 && Number(plain) <= 1 ? plain : null;
}

/** 1 - p, exact to the micro; ticks are never finer. */
function complement(price: string | null): string | null {
  const micro = price === null ? null : parseMicro(price);
  return micro === null ? null : plainDecimal(Number(1_000_000n - micro) / 1e6);
}

function tagSlugs(tags: readonly { slug: string | null; label: string | null }[]): string[] {
  const slugs = tags.flatMap((tag) => tag.slug ?? tag.label?.toLowerCase().replaceAll(" ", "-") ?? []);
  return [...new Set(slugs)];
}

/** The provider's own category, only where it is one that we serve. */
function ownCategory(category: string | null): string | null {
  return category === null ? null : categoryOfTags([category.toLowerCase().replaceAll(" ", "-")]) ?? foldCategory(category);
}
