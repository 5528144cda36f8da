import { defineOperation } from "../../api/operation.ts";
import { cursorParam, limitParam, textParam } from "../../api/request/query-params.ts";
import { DEPRECATION } from "../deprecation.ts";
import { CATEGORY_FILTER } from "../shared-params.ts";
import { EDGE_CURSOR } from "./edge-cursor.ts";
import { getEdgeHunter } from "./get-edge-hunter.ts";
import { SIGNAL_FILTERS } from "./signal-page.ts";

export const listSportsEdgeSignals = defineOperation({
  kind: "retired",
  id: "listSportsEdgeSignals",
  method: "get",
  path: "/api/v1/sports-edge-signals",
  tag: "Edge",
  summary: "Retired: the list of signals has another path.",
  description:
    "Every request with access is refused with 410. The `Link` header has the successor, which needs the Max plan; " +
    "`/api/v1/sports/pre-game-sides` has the same list for every plan.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    category: textParam().meta({ ...CATEGORY_FILTER, example: "Soccer" }),
    limit: limitParam({ max: 100, default: 20 }),
    cursor: cursorParam(EDGE_CURSOR.prefix),
    ...SIGNAL_FILTERS,
  },
  reasons: ["operation_retired"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  alias: { ...DEPRECATION, of: getEdgeHunter.id, successor: getEdgeHunter.path },
});
