import { defineOperation } from "../../api/operation.ts";
import { findEndpoint } from "../../queries/webhooks/find-endpoint.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const getWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "getWebhook",
  method: "get",
  path: "/api/v1/webhooks/{id}",
  summary: "Read one webhook endpoint.",
  description: "Without its secret and its token, which are shown once. A deleted one is 404.",
  reasons: ["not_found"],
  mcpTool: "get_webhook",
  async handle({ params }, { principal, db, now }) {
    const row = await findEndpoint(db, ownEndpoint(principal, params.id), now);
    if (row === null) throw noEndpoint(params.id);
    return { data: presentEndpoint(row) };
  },
});
