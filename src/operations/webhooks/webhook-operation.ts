import { WebhookEndpoint } from "./schemas.ts";
import { WebhookSegment } from "./segments.ts";

/** What all operations on webhooks have in common. */
export const WEBHOOK_OPERATION = {
  tag: "Webhooks",
  access: "key",
  scope: "webhooks",
  plan: "pro",
  cost: 1,
  query: {},
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
} as const;

/** And those that answer with the endpoint that their path names. */
export const ENDPOINT_OPERATION = {
  ...WEBHOOK_OPERATION,
  kind: "single",
  params: { id: WebhookSegment },
  object: "webhook",
  data: WebhookEndpoint,
} as const;
