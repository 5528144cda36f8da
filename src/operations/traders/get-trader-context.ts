import { defineOperation } from "../../api/operation.ts";
import { TraderContext } from "./schemas/context-schemas.ts";
import { findTraderContext } from "./find-trader-context.ts";
import { TraderSegment } from "./parse-trader-ref.ts";

export const getTraderContext = defineOperation({
  kind: "single",
  id: "getTraderContext",
  method: "get",
  path: "/api/v1/trader/{address}/context",
  tag: "Traders",
  summary: "Get one trader with a position summary, for a language model or a person.",
  description:
    "Returns the trader with strategy, categories and quant metrics, the totals of its positions, and the " +
    "freshness and completeness of these figures.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {},
  reasons: ["bad_request", "not_found"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_trader_context",
  object: "trader_context",
  data: TraderContext,
  handle: async ({ params }, context) => ({ data: await findTraderContext(params.address, context) }),
});
