import { defineOperation } from "../../api/operation.ts";
import { findEndpoint } from "../../queries/webhooks/find-endpoint.ts";
import { endpointNotFound, endpointRefOf } from "./shared/endpoint-access.ts";
import { presentEndpoint } from "./present/present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./shared/webhook-operation.ts";

export const getWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "getWebhook",
  method: "get",
  path: "/api/v1/webhooks/{id}",
  summary: "Get one webhook endpoint.",
  description:
    "Returns the endpoint without its secret and its token, which are shown only once. A deleted endpoint is 404.",
  reasons: ["not_found"],
  mcpTool: "get_webhook",
  async handle({ params }, { principal, db, now }) {
    const row = await findEndpoint(db, endpointRefOf(principal, params.id), now);
    if (row === null) throw endpointNotFound(params.id);
    return { data: presentEndpoint(row) };
  },
});
