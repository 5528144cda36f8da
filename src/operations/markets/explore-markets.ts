import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/params.ts";
import { foldCategory } from "../../domain/categories.ts";
import { exploreMarkets as exploreRows } from "../../queries/explore.ts";
import { CATEGORY_FILTER, MARKET_STATUS_FILTER, PLATFORM_FILTER } from "../param-words.ts";
import { presentExploreEntry } from "./present-explore.ts";
import { ExploreEntry, ExploreFacets } from "./explore-schemas.ts";

const Position = z.object({ generation: z.number().int(), key: z.string().nullable(), id: z.number().int() });

/** How long a built list counts as fresh. */
const FRESH_SECONDS = 60;
/** Prices beside the list are today's, and nobody announces them. */
const CACHE_SECONDS = 10;

export const exploreMarkets = defineOperation({
  kind: "list",
  id: "exploreMarkets",
  method: "get",
  path: "/api/v1/markets/explore",
  tag: "Markets",
  summary: "Explore markets, grouped by event.",
  description:
    "Pages entries: events with several markets, and markets that stand alone. The list is brought up to date every minute; a walk goes on in the one it began with.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    category: textParam().meta(CATEGORY_FILTER),
    status: enumParam(["active", "closed", "all"], "all").meta(MARKET_STATUS_FILTER),
    platform: enumParam(["polymarket"], "polymarket").meta(PLATFORM_FILTER),
    sort: enumParam(["trending", "hot", "expiring", "large_trades", "whales", "volume", "newest"], "trending").meta({
      description:
        "trending: volume of 24 hours and recent large trades. hot: discover_score. expiring: soonest end first. large_trades: most of them first; whales is its old name. volume: largest of all time first. newest: youngest first.",
      example: "volume",
    }),
    limit: limitParam({ max: 48, default: 24 }),
    q: textParam({ max: 64 }).meta({
      description: "Only entries with these words in a title. All when left out or blank.",
      example: "rain",
    }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: CACHE_SECONDS,
  restsOn: ["explore", "results"],
  mcpTool: "explore_markets",
  item: ExploreEntry,
  cursor: { prefix: "ex_", position: Position },
  topLevel: {
    total: z
      .int()
      .optional()
      .meta({ description: "Entries that pass the filters. On the first page only.", examples: [1204] }),
    facets: ExploreFacets,
    computed_at: z.iso
      .datetime()
      .meta({ description: "When the list was built, UTC. Outside the ETag.", examples: ["2026-11-20T12:00:00.000Z"] }),
    fresh_for_seconds: z
      .int()
      .meta({ description: "Seconds for which it counts as fresh, from computed_at on. Outside the ETag.", examples: [42] }),
  },
  async handle({ query, cursor }, { db, now }) {
    const filters = {
      status: query.status,
      category: query.category === null ? null : foldCategory(query.category),
      words: query.q,
      sort: query.sort,
    };
    const page = await exploreRows(db, filters, { place: cursor, limit: query.limit }, now);
    if (page === null) throw cursor === null ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const ageSeconds = Math.floor((now.getTime() - Date.parse(page.generation.built_at)) / 1000);
    return {
      data: rows.map(presentExploreEntry),
      next:
        page.rows.length > query.limit && last !== undefined ? { generation: page.generation.id, key: last.sort_key, id: last.id } : null,
      topLevel: {
        ...(page.total === null ? {} : { total: page.total }),
        facets: ExploreFacets.parse(page.generation.detail),
        computed_at: page.generation.built_at,
        // An answer may be served again from the cache, and is fresh no longer for it.
        fresh_for_seconds: Math.max(0, FRESH_SECONDS - CACHE_SECONDS - ageSeconds),
      },
    };
  },
});
