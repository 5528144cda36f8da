import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { listEndpoints } from "../../queries/webhooks/find-endpoint.ts";
import { callerOf } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { WebhookEndpoint } from "./schemas.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const listWebhooks = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "list",
  id: "listWebhooks",
  method: "get",
  path: "/api/v1/webhooks",
  summary: "List the account's webhook endpoints.",
  description: "All of them, oldest first; at most ten. Deleted ones are left out.",
  params: {},
  reasons: [],
  mcpTool: "list_webhooks",
  item: WebhookEndpoint,
  cursor: null,
  topLevel: { total: z.int().meta({ description: "How many there are.", example: 1 }) },
  async handle(_input, { principal, db, now }) {
    const rows = await listEndpoints(db, callerOf(principal).accountId, now);
    return { data: rows.map((row) => presentEndpoint(row)), next: null, topLevel: { total: rows.length } };
  },
});
