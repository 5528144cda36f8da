import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam, enumParamWithDocumentedDefault } from "../../api/request/query-params.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { FLOW_WINDOWS, type FlowWindow } from "../../domain/markets/flow-windows.ts";
import { GRADES, gradesFrom } from "../../domain/traders/grades.ts";
import { formatId } from "../../domain/ids.ts";
import { listFlows, type FlowRow } from "../../queries/trades/flows.ts";
import { isWindowCovered } from "../markets/flow-coverage.ts";
import { presentNetFlow } from "../net-flow.ts";
import { CATEGORY_FILTER, PLATFORM_FILTER, TIMEFRAME_PARAM } from "../shared-params.ts";
import { SmartMoneyFlowMarket } from "./schemas.ts";

/** The last row of a page. The generation keeps all pages of a walk in the ranking of the first page. */
const CursorPosition = z.object({
  generation: z.number().int(),
  absNetMicro: z.string().regex(/^\d+$/),
  conditionId: z.string(),
});

export const listSharpMoneyFlows = defineOperation({
  kind: "list",
  id: "listSharpMoneyFlows",
  method: "get",
  path: "/api/v1/markets/sharp-money-flows",
  tag: "Markets",
  summary: "Rank markets by the net flow of graded traders.",
  description:
    "Ranks markets by the absolute net flow of large trades by graded traders within a window, largest first. " +
    "Grades are those at the time the ranking was built. All pages of one walk use the ranking of the first page.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 3,
  params: {},
  query: {
    timeframe: enumParamWithDocumentedDefault(FLOW_WINDOWS, "24h").meta({
      description:
        `${TIMEFRAME_PARAM.description} The window ends when the ranking was built. ` +
        "24 hours when neither this nor `window` is sent.",
      example: "7d",
    }),
    window: enumParam(FLOW_WINDOWS).meta({
      description:
        "Another name for `timeframe`. If both are sent, they must be equal; otherwise the request returns 400.",
      example: "7d",
    }),
    limit: limitParam({ max: 100, default: 20 }),
    category: textParam().meta(CATEGORY_FILTER),
    platform: enumParam(["polymarket", "all"], "all").meta(PLATFORM_FILTER),
    min_grade: enumParam(GRADES, "B").meta({
      description:
        "Only trades by traders with this grade or a better one count. S is the best, F the worst; " +
        "ungraded traders never count.",
      example: "A",
    }),
    direction: enumParam(["YES", "NO"]).meta({
      description: "Only markets whose net flow is on this side. Both sides when left out.",
      example: "YES",
    }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 60,
  cacheTags: ["flows"],
  mcpTool: "get_sharp_money_flows",
  item: SmartMoneyFlowMarket,
  cursor: { prefix: "smf_", position: CursorPosition, expiresWithFilters: true },
  topLevel: { total: z.int().meta({ description: "Markets that match the filters, on all pages.", example: 1 }) },
  async handle({ query, cursor }, { db, now }) {
    const window = decideWindow(query);
    const filters = {
      window,
      grades: gradesFrom(query.min_grade),
      category: query.category === null ? null : normalizeCategory(query.category),
      direction: query.direction,
    };
    const page = await listFlows(db, filters, { cursor: cursor, limit: query.limit });
    if (page === null)
      throw cursor === null ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
    // Coverage is checked on the first page only: later pages stay in the generation of the first.
    if (cursor === null && !isWindowCovered(page.feedReadAt, window, now)) throw new ApiError("read_model_warming");
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const next =
      page.rows.length > query.limit && last !== undefined
        ? {
            generation: page.generation.id,
            absNetMicro: String(magnitude(last.net_micro)),
            conditionId: last.condition_id,
          }
        : null;
    return { data: rows.map((row) => presentFlow(row, window)), next, topLevel: { total: page.total } };
  },
});

/** `window` and `timeframe` are two names of one parameter, so two different values are an error. */
function decideWindow({ timeframe, window }: { timeframe: FlowWindow | null; window: FlowWindow | null }): FlowWindow {
  if (timeframe !== null && window !== null && timeframe !== window)
    throw new ApiError("invalid_query", {
      param: "window",
      message: "window and timeframe are two names of one parameter. Send one of them, or the same value in both.",
    });
  return window ?? timeframe ?? "24h";
}

function presentFlow(row: FlowRow, timeframe: FlowWindow): z.input<typeof SmartMoneyFlowMarket> {
  const flow = presentNetFlow(row);
  const { condition_id, title, slug, category } = row;
  return {
    market: { id: formatId("market", row.market_id), condition_id, title, slug, category, platform: "polymarket" },
    sharp_money: flow,
    smart_money: flow,
    timeframe,
  };
}

const magnitude = (micro: bigint): bigint => (micro < 0n ? -micro : micro);
