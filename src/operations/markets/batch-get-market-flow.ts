import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import type { FlowWindow } from "../../domain/flow-windows.ts";
import { parseConditionId } from "../../domain/ids.ts";
import { findMarketFlows, type MarketFlow as FoundFlow } from "../../queries/market-flow.ts";
import { BATCH_META, presentBatchMeta, presentItemError } from "../batch.ts";
import { COVERED_FROM, isCovered } from "./covered-from.ts";
import { BatchMarketFlowItem, BatchMarketFlowRequest } from "./flow-schemas.ts";
import { NO_SIDES, presentFlow } from "./present-flow.ts";

export const batchGetMarketFlow = defineOperation({
  kind: "single",
  id: "batchGetMarketFlow",
  method: "post",
  path: "/api/v1/markets/flow/batch",
  tag: "Markets",
  summary: "Read the large-trade flows of up to 25 markets.",
  description: "An item each, in the order asked; one that fails carries its own error and leaves the others alone.",
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
  meta: { ...BATCH_META, ...COVERED_FROM },
  async handle({ body }, context) {
    const conditionIds = body.condition_ids.map(parseConditionId);
    const refs = [...new Set(conditionIds)].flatMap((conditionId) => (conditionId === null ? [] : [{ conditionId }]));
    const { flows, feedReadAt, completeFrom } = await findMarketFlows(context.db, refs, body.timeframe, context.now);
    if (!isCovered(feedReadAt, body.timeframe, context.now)) throw new ApiError("read_model_warming");
    const byCondition = new Map(flows.map((found) => [found.flow.condition_id, found]));
    const items = body.condition_ids.map((input, index) => {
      const conditionId = conditionIds[index] ?? null;
      return { index, input, ...presentOutcome(conditionId, byCondition.get(conditionId ?? ""), body.timeframe, context) };
    });
    return { data: items, meta: { ...presentBatchMeta(items, context), covered_from: completeFrom } };
  },
});

type Outcome = Omit<z.input<typeof BatchMarketFlowItem>, "index" | "input">;

function presentOutcome(conditionId: string | null, found: FoundFlow | undefined, window: FlowWindow, context: OperationContext): Outcome {
  if (conditionId === null) return presentItemError("bad_request", "condition_ids", "This is no condition id.", context);
  if (found === undefined) return presentItemError("not_found", "condition_ids", "No such market is known.", context);
  if (!found.isSided) return presentItemError("not_found", "condition_ids", NO_SIDES, context);
  return { status: "ok", data: presentFlow(found, window) };
}
