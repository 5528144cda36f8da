import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation, type Operation } from "../../api/operation.ts";
import { limitParam, textParam } from "../../api/request/query-params.ts";
import { findPositionTimeline } from "../../queries/positions/position-timeline.ts";
import { parseMarketFilter } from "./market-filter.ts";
import { presentTimelineEvent } from "./present/present-timeline.ts";
import { PositionTimelineEvent } from "./schemas/timeline-schemas.ts";
import { parseTraderNameOrId } from "./present/trader-name.ts";

const TimelineTraderSegment = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description:
      "The trader: @username, address, trd_ id, the number of a trd_ id, or username, tried in this order. " +
      "An unknown trader is 404; a trader whose fills are not recorded is 404 `trader_not_tracked`.",
    example: "trd_12",
  });

/** One declaration for both routes: only the name of the path parameter differs. */
function defineTimeline(id: string, path: string, segment: "address" | "trader", mcpTool: string): Operation {
  return defineOperation({
    kind: "list",
    id,
    method: "get",
    path,
    tag: "Traders",
    summary: "List the fills of one trader's position in one market.",
    description:
      "Every recorded buy and sell of the trader in the market, newest first, each with the position " +
      "after it. Splits, merges, conversions and redemptions are not listed, so the current position can " +
      "differ from the newest `running_amount`.",
    access: "key",
    scope: "read",
    plan: "pro",
    cost: 1,
    params: { [segment]: TimelineTraderSegment },
    query: {
      condition_id: textParam({ required: true }).meta({
        description: "The market: its condition id or its mkt_ id. An unknown market returns an empty list.",
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
    topLevel: {
      total: z.int().meta({ description: "Recorded fills of the trader in the market, on all pages.", example: 42 }),
    },
    async handle({ params, query, cursor }, { db }) {
      // `params` has exactly this key. The computed name hides it from the type.
      const traderName = (params as Record<string, string>)[segment] ?? "";
      const page = { cursor: cursor?.fill ?? null, limit: query.limit };
      const timeline = await findPositionTimeline(
        db,
        parseTraderNameOrId(traderName),
        parseMarketFilter(query.condition_id),
        page,
      );
      if (timeline === null)
        throw new ApiError("not_found", { param: segment, message: "No trader has this address, id or username." });
      if (timeline.tier === "cold") throw new ApiError("trader_not_tracked", { param: segment });
      if (!timeline.isCursorFound) throw new ApiError("cursor_expired", { param: "cursor" });
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
