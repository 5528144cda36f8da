import { defineOperation } from "../../api/operation.ts";
import { TraderContext } from "./context-schemas.ts";
import { findTraderContext } from "./find-trader-context.ts";
import { TraderSegment } from "./trader-ref.ts";

export const getTraderContext = defineOperation({
  kind: "single",
  id: "getTraderContext",
  method: "get",
  path: "/api/v1/trader/{address}/context",
  tag: "Traders",
  summary: "Read one wallet with a summary of its positions, for a model or a person.",
  description: "The wallet with its strategy, categories and quant metrics, what its positions come to, and how fresh and whole that is.",
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
