import { defineOperation } from "../../api/operation.ts";
import { limitParam, textParam } from "../../api/request/query-params.ts";
import { normalizeCategory } from "../../domain/categories/categories.ts";
import { gradesFrom } from "../../domain/traders/grades.ts";
import { listSignals } from "../../queries/edge/edge-entries.ts";
import { CATEGORY_FILTER } from "../shared-params.ts";
import { EDGE_CURSOR } from "./edge-cursor.ts";
import { PreGameSide, SIGNAL_META } from "./schemas/signal-schemas.ts";
import { presentSignalPage, SIGNAL_FILTERS } from "./signal-page.ts";
import { EDGE_CACHE_SECONDS, requireUsable } from "./snapshot-age.ts";

export const listPreGameSides = defineOperation({
  kind: "list",
  id: "listPreGameSides",
  method: "get",
  path: "/api/v1/sports/pre-game-sides",
  tag: "Edge",
  summary: "List sports markets in which graded traders hold one side before the game.",
  description:
    "Winner and handicap markets of games that have not begun, where traders graded S, A or B have at least 85 % of " +
    "their dollars and 1,000 dollars on one side. First the markets with most holders graded S, then A, then B, then " +
    "by dollars. Holders of both outcomes count with their net shares. A snapshot is built every three minutes; " +
    "all pages of one walk use the same one, and games that have begun since are left out.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 5,
  params: {},
  query: {
    category: textParam().meta({ ...CATEGORY_FILTER, example: "Soccer" }),
    limit: limitParam({ max: 100, default: 20 }),
    ...SIGNAL_FILTERS,
  },
  reasons: ["cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: EDGE_CACHE_SECONDS,
  mcpTool: "get_pre_game_sides",
  item: PreGameSide,
  cursor: EDGE_CURSOR,
  meta: SIGNAL_META,
  async handle({ query, cursor }, { db, now }) {
    const filters = {
      category: query.category === null ? null : normalizeCategory(query.category),
      horizonHours: query.horizon_hours,
      grades: gradesFrom(query.min_grade),
    };
    const found = await listSignals(db, filters, { cursor, limit: query.limit }, now);
    return presentSignalPage(requireUsable(found, cursor === null, now), query.limit, now);
  },
});
