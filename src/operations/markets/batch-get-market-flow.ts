import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import type { FlowWindow } from "../../domain/markets/flow-windows.ts";
import { parseConditionId } from "../../domain/ids.ts";
import { findMarketFlows, type MarketFlowDetail as MarketFlowResult } from "../../queries/markets/market-flows.ts";
import { BATCH_META, presentBatchMeta, presentBatchItemError } from "../batch.ts";
import { COVERAGE_META, isWindowCovered } from "./flow-coverage.ts";
import { BatchMarketFlowItem, BatchMarketFlowRequest } from "./schemas/flow-schemas.ts";
import { FLOW_NEEDS_TWO_OUTCOMES, presentMarketFlow } from "./present/present-market-flow.ts";

export const batchGetMarketFlow = defineOperation({
  kind: "single",
  id: "batchGetMarketFlow",
  method: "post",
  path: "/api/v1/markets/flow/batch",
  tag: "Markets",
  summary: "Read the large-trade flows of up to 25 markets.",
  description:
    "Returns one item per market, in the order of the request. A failed item has its own error and " +
    "does not affect the others.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {},
  body: BatchMarketFlowRequest,
  batchUnits: ({ condition_ids }) => condition_ids.length,
  reasons: ["bad_request", "invalid_body", "read_model_warming"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: "batch_get_market_flow",
  object: "market_flow_batch",
  data: BatchMarketFlowItem.array(),
  meta: { ...BATCH_META, ...COVERAGE_META },
  async handle({ body }, context) {
    const conditionIds = body.condition_ids.map(parseConditionId);
    const refs = [...new Set(conditionIds)].flatMap((conditionId) => (conditionId === null ? [] : [{ conditionId }]));
    const { flows, feedReadAt, completeFrom } = await findMarketFlows(context.db, refs, body.timeframe, context.now);
    if (!isWindowCovered(feedReadAt, body.timeframe, context.now)) throw new ApiError("read_model_warming");
    const byCondition = new Map(flows.map((found) => [found.flow.condition_id, found]));
    const items = body.condition_ids.map((input, index) => {
      const conditionId = conditionIds[index] ?? null;
      return {
        index,
        input,
        ...presentOutcome(conditionId, byCondition.get(conditionId ?? ""), body.timeframe, context),
      };
    });
    return { data: items, meta: { ...presentBatchMeta(items, context), covered_from: completeFrom } };
  },
});

type Outcome = Omit<z.input<typeof BatchMarketFlowItem>, "index" | "input">;

function presentOutcome(
  conditionId: string | null,
  found: MarketFlowResult | undefined,
  window: FlowWindow,
  context: OperationContext,
): Outcome {
  if (conditionId === null)
    return presentBatchItemError("bad_request", "condition_ids", "The item is not a condition id.", context);
  if (found === undefined)
    return presentBatchItemError("not_found", "condition_ids", "No market has this condition id.", context);
  if (!found.isSided) return presentBatchItemError("not_found", "condition_ids", FLOW_NEEDS_TWO_OUTCOMES, context);
  return { status: "ok", data: presentMarketFlow(found, window) };
}
