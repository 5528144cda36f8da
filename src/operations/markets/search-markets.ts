import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/request/query-params.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { formatId } from "../../domain/ids.ts";
import { searchMarkets as searchRows, type SearchRow } from "../../queries/markets/market-search.ts";
import { CATEGORY_FILTER, MARKET_STATUS_FILTER } from "../shared-params.ts";
import { MarketSearchResult } from "./schemas/schemas.ts";

/** `by` keeps all pages of a walk in the search mode of the first page. */
const CursorPosition = z.object({
  by: z.enum(["words", "likeness"]),
  rank: z.number().int(),
  volume: z.string(),
  id: z.number().int(),
});

export const searchMarkets = defineOperation({
  kind: "list",
  id: "searchMarkets",
  method: "get",
  path: "/api/v1/markets/search",
  tag: "Markets",
  summary: "Search markets by words in their title.",
  description:
    "Lists markets whose title contains all the words; the last word can be incomplete. An exact title comes " +
    "first, then titles that start with the words, then all others, each group by volume. If no market contains " +
    "the words, they are treated as misspelled and markets are ordered by the similarity of their titles.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    q: textParam({ min: 1, max: 512, required: true }).meta({
      description: "Words in the title, in any case; a blank value is refused.",
      example: "rain paris",
    }),
    limit: limitParam({ max: 100, default: 20 }),
    status: enumParam(["active", "closed", "all"], "all").meta(MARKET_STATUS_FILTER),
    category: textParam().meta(CATEGORY_FILTER),
  },
  reasons: ["cursor_expired"],
  conditional: false,
  cacheSeconds: 5,
  mcpTool: "search_markets",
  item: MarketSearchResult,
  cursor: { prefix: "ms_", position: CursorPosition },
  async handle({ query, cursor }, { db, now }) {
    const words = query.q.trim();
    if (words === "") throw new ApiError("invalid_query", { param: "q", message: "q must not be blank." });
    const category = query.category === null ? null : normalizeCategory(query.category);
    const filters = { words, status: query.status, category, now };
    const { by, rows: found } = await searchRows(db, filters, {
      by: cursor?.by ?? null,
      cursor: cursor,
      limit: query.limit,
    });
    const rows = found.slice(0, query.limit);
    const last = rows.at(-1);
    const next =
      found.length > query.limit && last !== undefined
        ? { by, rank: last.rank, volume: last.volume, id: last.id }
        : null;
    return { data: rows.map(present), next };
  },
});

function present(row: SearchRow): z.input<typeof MarketSearchResult> {
  return {
    id: formatId("market", row.id),
    condition_id: row.condition_id,
    title: row.title,
    slug: row.slug,
    category: row.category,
    platform: "polymarket",
    status: row.over ? "closed" : "active",
  };
}
