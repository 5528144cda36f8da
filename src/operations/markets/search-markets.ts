import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam } from "../../api/params.ts";
import { foldCategory } from "../../domain/categories.ts";
import { formatId } from "../../domain/ids.ts";
import { searchMarkets as searchRows, type SearchRow } from "../../queries/markets.ts";
import { MarketSearchResult } from "./schemas.ts";

const Position = z.object({ leads: z.boolean(), volume: z.string(), id: z.number().int() });

export const searchMarkets = defineOperation({
  kind: "list",
  id: "searchMarkets",
  method: "get",
  path: "/api/v1/markets/search",
  tag: "Markets",
  summary: "Find markets by words of their title.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    q: textParam({ min: 1, max: 512, required: true }),
    limit: limitParam({ max: 100, default: 20 }),
    status: enumParam(["active", "closed", "all"], "all"),
    category: textParam(),
  },
  reasons: ["cursor_expired"],
  conditional: false,
  cacheSeconds: 5,
  mcpTool: "search_markets",
  item: MarketSearchResult,
  cursor: { prefix: "ms_", position: Position },
  async handle({ query, cursor }, { db }) {
    const words = query.q.trim();
    if (words === "") throw new ApiError("invalid_query", { param: "q", message: "q must not be blank." });
    const category = query.category === null ? null : foldCategory(query.category);
    const found = await searchRows(db, { words, status: query.status, category }, { place: cursor, limit: query.limit });
    const rows = found.slice(0, query.limit);
    const last = rows.at(-1);
    const next = found.length > query.limit && last !== undefined ? { leads: last.leads, volume: last.volume, id: last.id } : null;
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
