import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/request/query-params.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { exploreMarkets as exploreRows } from "../../queries/markets/explore.ts";
import { CATEGORY_FILTER, MARKET_STATUS_FILTER, PLATFORM_FILTER } from "../shared-params.ts";
import { presentExploreEntry } from "./present/present-explore-entry.ts";
import { ExploreEntry, ExploreFacets } from "./schemas/explore-schemas.ts";

const CursorPosition = z.object({ generation: z.number().int(), key: z.string().nullable(), id: z.number().int() });

/** A built list counts as fresh for this long. */
const FRESH_SECONDS = 60;
/** Short, because the current prices next to the list have no cache tag that invalidates the response. */
const CACHE_SECONDS = 10;

export const exploreMarkets = defineOperation({
  kind: "list",
  id: "exploreMarkets",
  method: "get",
  path: "/api/v1/markets/explore",
  tag: "Markets",
  summary: "Explore markets, grouped by event.",
  description:
    "Lists entries: events with several markets, and standalone markets. The list is rebuilt every minute; all " +
    "pages of one walk come from the same build.",
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
        "trending: 24-hour volume and recent large trades. hot: discover_score. expiring: earliest end first. " +
        "large_trades: most large trades first; whales is the old name. volume: largest all-time volume first. " +
        "newest: newest market first.",
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
  cacheTags: ["explore", "results"],
  mcpTool: "explore_markets",
  item: ExploreEntry,
  cursor: { prefix: "ex_", position: CursorPosition },
  topLevel: {
    total: z
      .int()
      .optional()
      .meta({ description: "Entries that match the filters. On the first page only.", examples: [1204] }),
    facets: ExploreFacets,
    computed_at: z.iso.datetime().meta({
      description: "When the list was built, UTC. Not part of the ETag.",
      examples: ["2026-11-20T12:00:00.000Z"],
    }),
    fresh_for_seconds: z.int().meta({
      description: "Seconds for which the list still counts as fresh. Not part of the ETag.",
      examples: [42],
    }),
  },
  async handle({ query, cursor }, { db, now }) {
    const filters = {
      status: query.status,
      category: query.category === null ? null : normalizeCategory(query.category),
      words: query.q,
      sort: query.sort,
    };
    const page = await exploreRows(db, filters, { cursor: cursor, limit: query.limit }, now);
    if (page === null)
      throw cursor === null ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const ageSeconds = Math.floor((now.getTime() - Date.parse(page.generation.built_at)) / 1000);
    return {
      data: rows.map(presentExploreEntry),
      next:
        page.rows.length > query.limit && last !== undefined
          ? { generation: page.generation.id, key: last.sort_key, id: last.id }
          : null,
      topLevel: {
        ...(page.total === null ? {} : { total: page.total }),
        facets: ExploreFacets.parse(page.generation.detail),
        computed_at: page.generation.built_at,
        // A response can be served from the cache later, so the cache time is subtracted.
        fresh_for_seconds: Math.max(0, FRESH_SECONDS - CACHE_SECONDS - ageSeconds),
      },
    };
  },
});
