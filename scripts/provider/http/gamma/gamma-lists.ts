import { positionIdsOf } from "../../combos.ts";
import type { Market, MarketEvent } from "../../provider-world.ts";
import { formatCursor, parseCursor } from "../cursor.ts";
import { firstOf } from "../first-of.ts";
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
  const filters = [
    (market: Market) => isCreated(market, now) && isClosed(market, now) === closed,
    ...oneOf<Market>(query, "id", ({ id }) => [id]),
    ...oneOf<Market>(query, "slug", ({ slug }) => [slug]),
    ...oneOf<Market>(query, "condition_ids", ({ conditionId }) => [conditionId]),
    ...oneOf<Market>(query, "clob_token_ids", (market) => market.tokenIds),
    ...oneOf<Market>(query, "position_ids", positionIdsOf),
    ...oneOf<Market>(query, "game_id", ({ event }) => [String(event.game?.gameId ?? "")]),
    ...oneOf<Market>(query, "sports_market_types", ({ sportsMarketType }) => [sportsMarketType ?? ""]),
    ...oneOf<Market>(query, "tag_id", ({ event }) => tagIdsOf(event)),
    ...inRange<Market>(query, "start_date", ({ startAtMs }) => startAtMs),
    ...inRange<Market>(query, "end_date", ({ endAtMs }) => endAtMs),
  ];
  const keys = {
    startDate: (market: Market) => market.startAtMs,
    endDate: (market: Market) => market.endAtMs,
    volume: (market: Market) => marketFiguresOf(world, market).volume,
    volumeNum: (market: Market) => marketFiguresOf(world, market).volume,
    volume24hr: (market: Market) => marketFiguresOf(world, market).volume24h,
    liquidity: (market: Market) => marketFiguresOf(world, market).liquidity,
  };
  const { page, nextCursor } = keysetPage(request, "markets", candidates(request), filters, keys);
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
  const filters = [
    (event: MarketEvent) => isCreated(event, now) && isClosed(event, now) === closed,
    ...oneOf<MarketEvent>(query, "id", ({ id }) => [id]),
    ...oneOf<MarketEvent>(query, "slug", ({ slug }) => [slug]),
    ...oneOf<MarketEvent>(query, "game_id", ({ game }) => [String(game?.gameId ?? "")]),
    ...oneOf<MarketEvent>(query, "live", ({ game }) => [String(game?.stateAt(now)?.live ?? false)]),
    ...oneOf<MarketEvent>(query, "ended", ({ game }) => [String(game?.stateAt(now)?.ended ?? false)]),
    ...oneOf<MarketEvent>(query, "series_id", ({ series }) => [series?.id ?? ""]),
    ...oneOf<MarketEvent>(query, "tag_slug", ({ tags }) => tags.map((tag) => tag.slug)),
    ...oneOf<MarketEvent>(query, "tag_id", tagIdsOf),
    ...inRange<MarketEvent>(query, "start_date", ({ startAtMs }) => startAtMs),
    ...inRange<MarketEvent>(query, "end_date", ({ endAtMs }) => endAtMs),
    ...inRange<MarketEvent>(query, "start_time", ({ game }) => game?.kickoffMs ?? null),
  ];
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
  const { page, nextCursor } = keysetPage(request, "events", world.catalog.events, filters, keys);
  const options = { markets: query.text("include_markets") !== "false" };
  return ok({ events: page.map((event) => presentEvent(world, event, options)), ...nextCursor });
}

type Filter<Row> = (row: Row) => boolean;

/** A filter by a parameter; none without the parameter, so that rows are not compared with what is not asked. */
function oneOf<Row>(query: Query, name: string, valuesOf: (row: Row) => readonly string[]): Filter<Row>[] {
  const wanted = new Set(query.all(name));
  return query.has(name) ? [(row) => valuesOf(row).some((value) => wanted.has(value))] : [];
}

const tagIdsOf = ({ tags }: MarketEvent): readonly string[] => tags.map((tag) => tag.id);

function inRange<Row>(query: Query, name: string, msOf: (row: Row) => number | null): Filter<Row>[] {
  const [least, most] = [query.text(`${name}_min`), query.text(`${name}_max`)];
  if (least === null && most === null) return [];
  const [leastMs, mostMs] = [
    least === null ? -Infinity : Date.parse(least),
    most === null ? Infinity : Date.parse(most),
  ];
  return [
    (row) => {
      const ms = msOf(row);
      return ms !== null && ms >= leastMs && ms <= mostMs;
    },
  ];
}

/**
 * A page in keyset order (order field, then id). A limit above 100 silently returns 100 rows; `offset` and
 * unknown order fields are 422.
 */
function keysetPage<Row extends { readonly id: string }>(
  request: ProviderRequest,
  type: string,
  rows: readonly Row[],
  filters: readonly Filter<Row>[],
  keys: Record<string, (row: Row) => number | null>,
): { page: readonly Row[]; nextCursor: { next_cursor?: string } } {
  const { query } = request;
  if (query.has("offset")) throw new Refusal(422, "offset is not supported on keyset routes", "offset");
  const order = query.text("order") ?? "id";
  const key = order === "id" ? () => 0 : keys[order];
  if (key === undefined) throw new Refusal(422, "order fields are not valid", "order");
  const sign = query.flag("ascending", order === "id") ? 1 : -1;
  const compare = (a: KeysetPlace, b: KeysetPlace) => sign * (a.value - b.value || compareIds(a.id, b.id));
  const cursor = query.text("after_cursor");
  const params = cursor === null ? null : parseCursor(type, cursor);
  const after = params === null ? null : { value: Number(params["v"]), id: String(params["id"]) };
  const limit = Math.min(query.number("limit", DEFAULT_ROWS, 1, Number.MAX_SAFE_INTEGER), MOST_ROWS);
  const most = request.shortPage ? Math.ceil(limit / 2) : limit;
  function* listPlaces() {
    for (const row of rows) {
      const place = { row, id: row.id, value: key?.(row) ?? 0 };
      if (after === null || compare(place, after) > 0) yield place;
    }
  }

  const page = firstOf(listPlaces(), most + 1, compare, ({ row }) => filters.every((isIncluded) => isIncluded(row)));
  const last = page.length > most ? page[most - 1] : undefined;
  return {
    page: page.slice(0, most).map(({ row }) => row),
    nextCursor: last === undefined ? {} : { next_cursor: formatCursor(type, { v: last.value, id: last.id }) },
  };
}

/** Where a row is in the order. */
interface KeysetPlace {
  readonly value: number;
  readonly id: string;
}

/** Compares ids, which are decimal strings too long for a number. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
