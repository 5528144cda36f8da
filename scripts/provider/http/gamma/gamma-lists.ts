import { positionIdsOf } from "../../combos.ts";
import type { Market, MarketEvent } from "../../provider-world.ts";
import { formatCursor, parseCursor } from "../cursor.ts";
import { marketFiguresOf, isClosed, isCreated, presentEvent, presentMarket } from "./gamma-objects.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Query, type Route } from "../request.ts";

const MOST_ROWS = 100;
const DEFAULT_ROWS = 20;

export const gammaListRoutes: readonly Route[] = [
  { service: "gamma", method: "GET", pattern: /^\/markets\/keyset$/, handle: handleMarkets },
  { service: "gamma", method: "GET", pattern: /^\/events\/keyset$/, handle: handleEvents },
];

function handleMarkets(request: ProviderRequest): ProviderResponse {
  const { query, world } = request;
  const now = world.nowMs();
  for (const condition of query.all("condition_ids")) world.loadCondition(condition.toLowerCase());
  for (const tokenId of query.all("clob_token_ids")) world.loadToken(tokenId);
  const closed = query.flag("closed", false);
  const rows = candidates(request).filter(
    (market) =>
      isCreated(market, now) &&
      isClosed(market, now) === closed &&
      oneOf(query, "id", market.id) &&
      oneOf(query, "slug", market.slug) &&
      oneOf(query, "condition_ids", market.conditionId) &&
      (!query.has("clob_token_ids") ||
        market.tokenIds.some((tokenId) => query.all("clob_token_ids").includes(tokenId))) &&
      (!query.has("position_ids") || positionIdsOf(market).some((id) => query.all("position_ids").includes(id))) &&
      oneOf(query, "game_id", String(market.event.game?.gameId ?? "")) &&
      oneOf(query, "sports_market_types", market.sportsMarketType ?? "") &&
      hasTag(query, market.event) &&
      inRange(query, "start_date", market.startAtMs) &&
      inRange(query, "end_date", market.endAtMs),
  );
  const keys = {
    startDate: (market: Market) => market.startAtMs,
    endDate: (market: Market) => market.endAtMs,
    volume: (market: Market) => marketFiguresOf(world, market).volume,
    volumeNum: (market: Market) => marketFiguresOf(world, market).volume,
    volume24hr: (market: Market) => marketFiguresOf(world, market).volume24h,
    liquidity: (market: Market) => marketFiguresOf(world, market).liquidity,
  };
  const { page, nextCursor } = keysetPage(request, "markets", rows, keys);
  const options = { tags: query.flag("include_tag", false), event: true };
  return ok({ markets: page.map((market) => presentMarket(world, market, options)), ...nextCursor });
}

// A lookup by condition is the most frequent call, so it does not scan the catalogue.
function candidates({ query, world }: ProviderRequest): readonly Market[] {
  const conditions = query.all("condition_ids");
  if (conditions.length === 0) return world.catalog.markets;
  return [...new Set(conditions)].flatMap((condition) => world.catalog.findMarket(condition.toLowerCase()) ?? []);
}

function handleEvents(request: ProviderRequest): ProviderResponse {
  const { query, world } = request;
  const now = world.nowMs();
  const closed = query.flag("closed", false);
  const rows = world.catalog.events.filter(
    (event) =>
      isCreated(event, now) &&
      isClosed(event, now) === closed &&
      oneOf(query, "id", event.id) &&
      oneOf(query, "slug", event.slug) &&
      oneOf(query, "game_id", String(event.game?.gameId ?? "")) &&
      oneOf(query, "live", String(event.game?.stateAt(now)?.live ?? false)) &&
      oneOf(query, "ended", String(event.game?.stateAt(now)?.ended ?? false)) &&
      oneOf(query, "series_id", event.series?.id ?? "") &&
      oneOf(query, "tag_slug", ...event.tags.map((tag) => tag.slug)) &&
      hasTag(query, event) &&
      inRange(query, "start_date", event.startAtMs) &&
      inRange(query, "end_date", event.endAtMs) &&
      inRange(query, "start_time", event.game?.kickoffMs ?? null),
  );
  const total = (event: MarketEvent, pick: "volume" | "volume24h" | "liquidity") =>
    event.markets.reduce((sum, market) => sum + (marketFiguresOf(world, market)[pick] ?? 0), 0);
  const keys = {
    startDate: (event: MarketEvent) => event.startAtMs,
    endDate: (event: MarketEvent) => event.endAtMs,
    closedTime: (event: MarketEvent) => event.closedAtMs,
    volume: (event: MarketEvent) => total(event, "volume"),
    volume24hr: (event: MarketEvent) => total(event, "volume24h"),
    liquidity: (event: MarketEvent) => total(event, "liquidity"),
  };
  const { page, nextCursor } = keysetPage(request, "events", rows, keys);
  const options = { markets: query.text("include_markets") !== "false" };
  return ok({ events: page.map((event) => presentEvent(world, event, options)), ...nextCursor });
}

function oneOf(query: Query, name: string, ...values: string[]): boolean {
  const wanted = query.all(name);
  return wanted.length === 0 || wanted.some((value) => values.includes(value));
}

const hasTag = (query: Query, event: MarketEvent) => oneOf(query, "tag_id", ...event.tags.map((tag) => tag.id));

function inRange(query: Query, name: string, ms: number | null): boolean {
  const least = query.text(`${name}_min`);
  const most = query.text(`${name}_max`);
  if (least === null && most === null) return true;
  return ms !== null && (least === null || ms >= Date.parse(least)) && (most === null || ms <= Date.parse(most));
}

/**
 * A page in keyset order (order field, then id). A limit above 100 silently returns 100 rows; `offset` and
 * unknown order fields are 422.
 */
function keysetPage<Row extends { readonly id: string }>(
  request: ProviderRequest,
  type: string,
  rows: readonly Row[],
  keys: Record<string, (row: Row) => number | null>,
): { page: readonly Row[]; nextCursor: { next_cursor?: string } } {
  const { query } = request;
  if (query.has("offset")) throw new Refusal(422, "offset is not supported on keyset routes", "offset");
  const order = query.text("order") ?? "id";
  const key = order === "id" ? () => 0 : keys[order];
  if (key === undefined) throw new Refusal(422, "order fields are not valid", "order");
  const sign = query.flag("ascending", order === "id") ? 1 : -1;
  const valueOf = new Map(rows.map((row) => [row, key(row) ?? 0]));
  const compare = (aValue: number, aId: string, bValue: number, bId: string) =>
    sign * (aValue - bValue || compareIds(aId, bId));
  const sorted = [...rows].sort((a, b) => compare(valueOf.get(a) ?? 0, a.id, valueOf.get(b) ?? 0, b.id));
  const cursor = query.text("after_cursor");
  const params = cursor === null ? null : parseCursor(type, cursor);
  const from =
    params === null
      ? 0
      : sorted.findIndex(
          (row) => compare(valueOf.get(row) ?? 0, row.id, Number(params["v"]), String(params["id"])) > 0,
        );
  const limit = Math.min(query.number("limit", DEFAULT_ROWS, 1, Number.MAX_SAFE_INTEGER), MOST_ROWS);
  const most = request.shortPage ? Math.ceil(limit / 2) : limit;
  const page = from === -1 ? [] : sorted.slice(from, from + most);
  const last = page.at(-1);
  const more = last !== undefined && from + page.length < sorted.length;
  return {
    page,
    nextCursor: more ? { next_cursor: formatCursor(type, { v: valueOf.get(last) ?? 0, id: last.id }) } : {},
  };
}

/** Compares ids, which are decimal strings too long for a number. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
