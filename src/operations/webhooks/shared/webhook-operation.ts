import { OWNED_RESOURCE_OPERATION } from "../../owned-resource.ts";
import { WebhookEndpointResource } from "../schemas/schemas.ts";
import { WebhookSegment } from "../schemas/path-segments.ts";

/** Settings shared by all webhook operations. */
export const WEBHOOK_OPERATION = {
  ...OWNED_RESOURCE_OPERATION,
  tag: "Webhooks",
  scope: "webhooks",
  query: {},
} as const;

/** Settings of webhook operations that return the endpoint in their path. */
export const ENDPOINT_OPERATION = {
  ...WEBHOOK_OPERATION,
  kind: "single",
  params: { id: WebhookSegment },
  object: "webhook",
  data: WebhookEndpointResource,
} as const;
