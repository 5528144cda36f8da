import { defineOperation } from "../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { WebhookEndpoint } from "./schemas.ts";
import { WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const rotateWebhookSecret = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "rotateWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret",
  summary: "Replace a signing secret at once.",
  description:
    "From now on only the new secret, which this answer shows, signs; a prepared one is dropped, and an overlap ends. To change it without a gap, prepare and activate one instead. Refused while a delivery is under way.",
  params: { id: WebhookSegment },
  reasons: ["not_found", "webhook_delivery_in_progress"],
  idempotent: true,
  object: "webhook",
  data: WebhookEndpoint,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("rotate", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
