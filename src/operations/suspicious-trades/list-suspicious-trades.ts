import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, numberParam } from "../../api/request/query-params.ts";
import { listSuspiciousTrades as listRows } from "../../queries/trades/suspicious-trades.ts";
import { SUSPICION_FLOOR } from "../../scoring/signals/parameters.ts";
import { presentSuspiciousTrade } from "./present-suspicious-trade.ts";
import { SuspiciousTrade } from "./schemas.ts";

/**
 * The last flag of a page. `stable` pins the walk to the flags of its first page and to its page size; null
 * for live.
 */
const Position = z.object({
  score: z.number().int(),
  id: z.number().int(),
  stable: z.object({ newest: z.number().int(), total: z.number().int(), limit: z.number().int() }).nullable(),
});

const OTHER_LIMIT = {
  param: "cursor",
  message: "This cursor belongs to a request with another limit. With mode=stable, send the same limit on every page.",
};

/** Above the highest possible score, so no flag matches. */
const ABOVE_MAX_SCORE = 101;

export const listSuspiciousTrades = defineOperation({
  kind: "list",
  id: "listSuspiciousTrades",
  method: "get",
  path: "/api/v1/suspicious-trades",
  tag: "Suspicious trades",
  summary: "List suspicious trades, highest score first.",
  description:
    "Large trades with a suspicion score of 60 or more. A trade is assessed once. Responses may be up to " +
    "120 seconds old and state their age. With `mode=stable`, all pages show the flags that existed at " +
    "the time of the first page, and no later ones.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    min_suspicion: numberParam({ default: 0 }).meta({
      description:
        "Minimum suspicion_score, in points. All flags have at least 60, so a lower value has no effect; " +
        "a value above 100 returns an empty list.",
      example: 80,
    }),
    severity: enumParam(["flag", "watch"]).meta({
      description:
        "Only this severity. All flags have severity flag, so watch returns an empty list. All when omitted.",
      example: "flag",
    }),
    mode: enumParam(["live", "stable"], "live").meta({
      description:
        "live: each page shows the current flags. stable: all pages show the flags that existed at the " +
        "time of the first page; requires the same `limit` on every page.",
      example: "stable",
    }),
  },
  reasons: ["cursor_expired"],
  conditional: true,
  cacheSeconds: 120,
  cacheTags: ["suspicious_trades"],
  mcpTool: "get_suspicious_trades",
  item: SuspiciousTrade,
  cursor: { prefix: "rf_", position: Position },
  topLevel: { total: z.int().meta({ description: "Flags that match the filters, on all pages.", example: 1 }) },
  async handle({ query, cursor }, { db }) {
    // No flag has severity watch: a trade below the floor is not flagged.
    if (query.severity === "watch") return { data: [], next: null, topLevel: { total: 0 } };
    const stable = cursor?.stable ?? null;
    if (stable !== null && stable.limit !== query.limit) throw new ApiError("invalid_query", OTHER_LIMIT);
    const filter = { minScore: minScoreOf(query.min_suspicion), pin: stable };
    const { pin, ...page } = await listRows(db, filter, { cursor: cursor, limit: query.limit });
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const walk =
      query.mode === "live" || pin.newest === null
        ? null
        : { newest: pin.newest, total: pin.total, limit: query.limit };
    return {
      data: rows.map(presentSuspiciousTrade),
      next:
        page.rows.length > query.limit && last !== undefined ? { score: last.score, id: last.id, stable: walk } : null,
      topLevel: { total: pin.total },
    };
  },
});

/** Scores are integers, and none is below the floor. */
const minScoreOf = (requested: number): number =>
  Math.min(ABOVE_MAX_SCORE, Math.max(SUSPICION_FLOOR, Math.ceil(requested)));
