import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, numberParam } from "../../api/params.ts";
import { listSuspiciousTrades as listRows } from "../../queries/suspicious-trades.ts";
import { SUSPICION_FLOOR } from "../../scoring/signals/parameters.ts";
import { presentSuspiciousTrade } from "./present-suspicious-trade.ts";
import { SuspiciousTrade } from "./schemas.ts";

/** The last flag of a page; `stable` names what the walk is pinned to: the flags of its first page, and its page size. */
const Position = z.object({
  score: z.number().int(),
  id: z.number().int(),
  stable: z.object({ newest: z.number().int(), total: z.number().int(), limit: z.number().int() }).nullable(),
});

const OTHER_LIMIT = { param: "cursor", message: "A stable walk keeps its limit: this cursor was given out with another one." };

/** One more than a score can be: nothing passes. */
const ABOVE_ALL = 101;

export const listSuspiciousTrades = defineOperation({
  kind: "list",
  id: "listSuspiciousTrades",
  method: "get",
  path: "/api/v1/suspicious-trades",
  tag: "Suspicious trades",
  summary: "List suspicious trades, highest score first.",
  description:
    "Large trades whose suspicion reached 60 when it was judged, which happens once. Answers may be up to 120 seconds old and say so. With mode=stable a walk shows the flags that there were at its first page, and none that came later.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    limit: limitParam({ max: 100, default: 20 }),
    min_suspicion: numberParam({ default: 0 }).meta({
      description: "Least suspicion_score, in points. All flags have 60 or more, so less changes nothing; above 100 lists nothing.",
      example: 80,
    }),
    severity: enumParam(["flag", "watch"]).meta({
      description: "Only this severity. All are flag, so watch lists nothing. All when left out.",
      example: "flag",
    }),
    mode: enumParam(["live", "stable"], "live").meta({
      description: "live: every page shows the flags of now. stable: all pages show those of the first one; keep the same limit.",
      example: "stable",
    }),
  },
  reasons: ["cursor_expired"],
  conditional: true,
  cacheSeconds: 120,
  restsOn: ["suspicious_trades"],
  mcpTool: "get_suspicious_trades",
  item: SuspiciousTrade,
  cursor: { prefix: "rf_", position: Position },
  topLevel: { total: z.int().meta({ description: "Flags that pass the filters, on all pages.", example: 1 }) },
  async handle({ query, cursor }, { db }) {
    // Nothing is only watched: what does not reach the floor is no flag.
    if (query.severity === "watch") return { data: [], next: null, topLevel: { total: 0 } };
    const stable = cursor?.stable ?? null;
    if (stable !== null && stable.limit !== query.limit) throw new ApiError("invalid_query", OTHER_LIMIT);
    const filter = { minScore: leastScore(query.min_suspicion), pin: stable };
    const { pin, ...page } = await listRows(db, filter, { place: cursor, limit: query.limit });
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const walk = query.mode === "live" || pin.newest === null ? null : { newest: pin.newest, total: pin.total, limit: query.limit };
    return {
      data: rows.map(presentSuspiciousTrade),
      next: page.rows.length > query.limit && last !== undefined ? { score: last.score, id: last.id, stable: walk } : null,
      topLevel: { total: pin.total },
    };
  },
});

/** Scores are whole, and none is below the floor. */
const leastScore = (asked: number): number => Math.min(ABOVE_ALL, Math.max(SUSPICION_FLOOR, Math.ceil(asked)));
