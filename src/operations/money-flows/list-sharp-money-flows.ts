import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, limitParam, textParam, yieldingEnumParam } from "../../api/params.ts";
import { foldCategory } from "../../domain/categories.ts";
import { FLOW_WINDOWS, type FlowWindow } from "../../domain/flow-windows.ts";
import { GRADES, gradesFrom } from "../../domain/grades.ts";
import { formatId } from "../../domain/ids.ts";
import { listFlows, type FlowRow } from "../../queries/flows.ts";
import { isCovered } from "../markets/covered-from.ts";
import { presentNetFlow } from "../net-flow.ts";
import { CATEGORY_FILTER, PLATFORM_FILTER, TIMEFRAME } from "../param-words.ts";
import { SmartMoneyFlowMarket } from "./schemas.ts";

/** The last row of a page: its generation is what anchors a walk to the first page's clock. */
const Position = z.object({ generation: z.number().int(), absNetMicro: z.string().regex(/^\d+$/), conditionId: z.string() });

export const listSharpMoneyFlows = defineOperation({
  kind: "list",
  id: "listSharpMoneyFlows",
  method: "get",
  path: "/api/v1/markets/sharp-money-flows",
  tag: "Markets",
  summary: "Rank markets by the money that graded wallets moved.",
  description:
    "Markets by the size of the net flow of graded wallets' large trades within a window, largest first, whichever side it is on. Grades are those the wallets had when the ranking was built; a walk stays in the ranking of its first page.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 3,
  params: {},
  query: {
    timeframe: yieldingEnumParam(FLOW_WINDOWS, "24h").meta({
      description: `${TIMEFRAME.description} It ends when the ranking was built. 24 hours when neither this nor \`window\` is given.`,
      example: "7d",
    }),
    window: enumParam(FLOW_WINDOWS).meta({
      description: "The value of `timeframe` under another name; given together they have to agree, or are refused with 400.",
      example: "7d",
    }),
    limit: limitParam({ max: 100, default: 20 }),
    category: textParam().meta(CATEGORY_FILTER),
    platform: enumParam(["polymarket", "all"], "all").meta(PLATFORM_FILTER),
    min_grade: enumParam(GRADES, "B").meta({
      description:
        "Only trades of wallets of this grade or a better one count into the flow; S is the best, F the worst, and ungraded wallets never count.",
      example: "A",
    }),
    direction: enumParam(["YES", "NO"]).meta({
      description: "Only markets whose net flow is on this side. Both when left out.",
      example: "YES",
    }),
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 60,
  restsOn: ["flows"],
  mcpTool: "get_sharp_money_flows",
  item: SmartMoneyFlowMarket,
  cursor: { prefix: "smf_", position: Position, expiresWithFilters: true },
  topLevel: { total: z.int().meta({ description: "Markets that pass the filters, on all pages.", example: 1 }) },
  async handle({ query, cursor }, { db, now }) {
    const window = decideWindow(query);
    const filters = {
      window,
      grades: gradesFrom(query.min_grade),
      category: query.category === null ? null : foldCategory(query.category),
      direction: query.direction,
    };
    const page = await listFlows(db, filters, { place: cursor, limit: query.limit });
    if (page === null) throw cursor === null ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
    // A walk goes on in what was known at its first page.
    if (cursor === null && !isCovered(page.feedReadAt, window, now)) throw new ApiError("read_model_warming");
    const rows = page.rows.slice(0, query.limit);
    const last = rows.at(-1);
    const next =
      page.rows.length > query.limit && last !== undefined
        ? { generation: page.generation.id, absNetMicro: String(magnitude(last.net_micro)), conditionId: last.condition_id }
        : null;
    return { data: rows.map((row) => presentFlow(row, window)), next, topLevel: { total: page.total } };
  },
});

/** Both names mean the same, so together they have to say the same. */
function decideWindow({ timeframe, window }: { timeframe: FlowWindow | null; window: FlowWindow | null }): FlowWindow {
  if (timeframe !== null && window !== null && timeframe !== window)
    throw new ApiError("invalid_query", { param: "window", message: "window and timeframe are two names of one value and differ here." });
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
