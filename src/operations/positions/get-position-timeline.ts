import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation, type Operation } from "../../api/operation.ts";
import { limitParam, textParam } from "../../api/params.ts";
import { findPositionTimeline } from "../../queries/position-timeline.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { presentTimelineEvent } from "./present-timeline.ts";
import { PositionTimelineEvent } from "./timeline-schemas.ts";
import { parseWalletNameOrId } from "./wallet-name.ts";

const WalletSegment = z.string().min(1).max(100).meta({
  description:
    "The wallet: @username, address, trd_ id, the number in it, or username, tried in this order. One that nobody has is 404; one whose fills are not recorded is 404 `trader_not_tracked`.",
  example: "trd_12",
});

/** The same timeline on its two routes, whose path parameters have different names. */
function defineTimeline(id: string, path: string, segment: "address" | "trader", mcpTool: string): Operation {
  return defineOperation({
    kind: "list",
    id,
    method: "get",
    path,
    tag: "Traders",
    summary: "List how one wallet's position in one market came about.",
    description:
      "Every stored buy and sell of the wallet in the market, newest first, with the position each left. Splits, merges, conversions and redemptions are left out, so what is held now can differ from the newest running amount.",
    access: "key",
    scope: "read",
    plan: "pro",
    cost: 1,
    params: { [segment]: WalletSegment },
    query: {
      condition_id: textParam({ required: true }).meta({
        description: "The market: its condition id or its mkt_ id. One that is not known lists nothing.",
        example: "mkt_7",
      }),
      limit: limitParam({ max: 100, default: 20 }),
    },
    reasons: ["not_found", "trader_not_tracked", "cursor_expired"],
    conditional: true,
    cacheSeconds: 2,
    mcpTool,
    item: PositionTimelineEvent,
    cursor: { prefix: "pt_", position: z.object({ fill: z.number().int() }) },
    topLevel: { total: z.int().meta({ description: "Stored fills of the wallet in the market, on all pages.", example: 42 }) },
    async handle({ params, query, cursor }, { db }) {
      // The declaration has exactly this one segment, which the computed name hides from the type.
      const wallet = (params as Record<string, string>)[segment] ?? "";
      const page = { place: cursor?.fill ?? null, limit: query.limit };
      const timeline = await findPositionTimeline(db, parseWalletNameOrId(wallet), parseMarketFilter(query.condition_id), page);
      if (timeline === null) throw new ApiError("not_found", { param: segment, message: "No wallet has this address, id or name." });
      if (timeline.tier === "cold") throw new ApiError("trader_not_tracked", { param: segment });
      if (!timeline.isPlaced) throw new ApiError("cursor_expired", { param: "cursor" });
      const fills = timeline.fills.slice(0, query.limit);
      const last = fills.at(-1);
      return {
        data: fills.map(presentTimelineEvent),
        next: timeline.fills.length > query.limit && last !== undefined ? { fill: last.id } : null,
        topLevel: { total: timeline.total },
      };
    },
  });
}

export const getPositionTimeline = defineTimeline(
  "getPositionTimeline",
  "/api/v1/trader/{address}/position-timeline",
  "address",
  "get_position_timeline",
);

export const getPositionTimelineById = defineTimeline(
  "getPositionTimelineById",
  "/api/v1/traders/{trader}/position-timeline",
  "trader",
  "get_position_timeline_by_id",
);
