import { ApiError } from "../../../api/errors.ts";
import { defineOperation } from "../../../api/operation.ts";
import { cursorParam, limitParam } from "../../../api/request/query-params.ts";
import { LargeTradeIdParam } from "../../row-id.ts";
import { getCounterpartySnapshot, snapshotIdParam } from "./get-counterparty-snapshot.ts";
import { CounterpartyAnalysis } from "./schemas.ts";

export const listCounterpartyExecutions = defineOperation({
  kind: "single",
  id: "listLargeTradeCounterpartyExecutions",
  method: "get",
  path: "/api/v1/large-trades/{id}/counterparties/executions",
  tag: "Large trades",
  summary: "Page through the executions behind one large trade.",
  description:
    "Returns the analysis of the snapshot that the large trade names. The snapshot expires when more fills, or their " +
    "logs on the chain, are recorded.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: LargeTradeIdParam },
  query: { snapshot_id: snapshotIdParam(), cursor: cursorParam("wte_"), limit: limitParam({ max: 100, default: 20 }) },
  reasons: ["not_found", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_large_trade_counterparty_executions",
  object: "counterparty_analysis",
  data: CounterpartyAnalysis,
  async handle({ params, query }, context) {
    const { described } = await getCounterpartySnapshot(context, params.id, query.snapshot_id);
    if (query.cursor !== null && query.cursor !== "")
      throw new ApiError("invalid_query", {
        param: "cursor",
        message: "A trade has one execution, so there is no next page. Leave out the cursor.",
      });
    return { data: described.analysis };
  },
});
