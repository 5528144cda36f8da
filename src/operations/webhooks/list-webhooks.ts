import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { listEndpoints } from "../../queries/webhooks/find-endpoint.ts";
import { requireCaller } from "../owned-resource.ts";
import { presentEndpoint } from "./present/present-endpoint.ts";
import { WebhookEndpointResource } from "./schemas/schemas.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

export const listWebhooks = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "list",
  id: "listWebhooks",
  method: "get",
  path: "/api/v1/webhooks",
  summary: "List the account's webhook endpoints.",
  description: "Returns all endpoints, at most ten, oldest first. Deleted endpoints are not listed.",
  params: {},
  reasons: [],
  mcpTool: "list_webhooks",
  item: WebhookEndpointResource,
  cursor: null,
  topLevel: { total: z.int().meta({ description: "Number of endpoints.", example: 1 }) },
  async handle(_input, { principal, db, now }) {
    const rows = await listEndpoints(db, requireCaller(principal).accountId, now);
    return { data: rows.map((row) => presentEndpoint(row)), next: null, topLevel: { total: rows.length } };
  },
});
