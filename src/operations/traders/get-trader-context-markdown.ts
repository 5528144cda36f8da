import { defineOperation } from "../../api/operation.ts";
import { findTraderContext } from "./find-trader-context.ts";
import { renderTraderContext } from "./present/render-context.ts";
import { TraderSegment } from "./parse-trader-ref.ts";

export const getTraderContextMarkdown = defineOperation({
  kind: "text",
  id: "getTraderContextMarkdown",
  method: "get",
  path: "/api/v1/trader/{address}/context.md",
  tag: "Traders",
  summary: "Get a trader's context as a Markdown document.",
  description:
    "Returns the trader context as Markdown text. Errors are JSON. For an untracked trader the document says so.",
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
