import { defineOperation } from "../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { WebhookEndpoint } from "./schemas.ts";
import { WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const activateWebhookSecret = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "activateWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret/activate",
  summary: "Let the prepared signing secret sign.",
  description:
    "For one hour the secret before it signs too, so that receivers accept every delivery by either of the two; then it stops. Refused while a delivery is under way.",
  params: { id: WebhookSegment },
  reasons: ["not_found", "webhook_secret_rotation_not_prepared", "webhook_secret_rotation_overlap_active", "webhook_delivery_in_progress"],
  idempotent: true,
  object: "webhook",
  data: WebhookEndpoint,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("activate", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
