import { defineOperation } from "../../api/operation.ts";
import { findTraderContext } from "./find-trader-context.ts";
import { renderTraderContext } from "./render-context.ts";
import { TraderSegment } from "./trader-ref.ts";

export const getTraderContextMarkdown = defineOperation({
  kind: "text",
  id: "getTraderContextMarkdown",
  method: "get",
  path: "/api/v1/trader/{address}/context.md",
  tag: "Traders",
  summary: "Read a wallet's context as a Markdown document.",
  description: "The same as the context, in words. Its errors are JSON. A wallet that nobody tracks gets a document that says so.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: { address: TraderSegment },
  query: {},
  reasons: ["bad_request", "not_found"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  handle: async ({ params }, context) => renderTraderContext(await findTraderContext(params.address, context)),
});
