import { WebhookEndpointResource } from "../schemas/schemas.ts";
import { WebhookSegment } from "../schemas/path-segments.ts";

/** Settings shared by all webhook operations. */
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

/** Settings of webhook operations that return the endpoint in their path. */
export const ENDPOINT_OPERATION = {
  ...WEBHOOK_OPERATION,
  kind: "single",
  params: { id: WebhookSegment },
  object: "webhook",
  data: WebhookEndpointResource,
} as const;
