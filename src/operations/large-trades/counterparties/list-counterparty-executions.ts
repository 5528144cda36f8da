import { ApiError } from "../../../api/errors.ts";
import { defineOperation } from "../../../api/operation.ts";
import { cursorParam, limitParam } from "../../../api/params.ts";
import { LargeTradeSegment } from "../../row-ref.ts";
import { findSnapshot, snapshotParam } from "./find-snapshot.ts";
import { CounterpartyAnalysis } from "./schemas.ts";

export const listCounterpartyExecutions = defineOperation({
  kind: "single",
  id: "listLargeTradeCounterpartyExecutions",
  method: "get",
  path: "/api/v1/large-trades/{id}/counterparties/executions",
  tag: "Large trades",
  summary: "Page through the executions behind one large trade.",
  description: "The analysis of the snapshot that the trade's own answer names. Once more fills are recorded the snapshot is gone.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { id: LargeTradeSegment },
  query: { snapshot_id: snapshotParam(), cursor: cursorParam("wte_"), limit: limitParam({ max: 100, default: 20 }) },
  reasons: ["not_found", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_large_trade_counterparty_executions",
  object: "counterparty_analysis",
  data: CounterpartyAnalysis,
  async handle({ params, query }, { db }) {
    const { described } = await findSnapshot(db, params.id, query.snapshot_id);
    if (query.cursor !== null && query.cursor !== "")
      throw new ApiError("invalid_query", { param: "cursor", message: "A trade has one execution, so no further page has a cursor." });
    return { data: described.analysis };
  },
});
