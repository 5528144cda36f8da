import { defineOperation } from "../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const activateWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "activateWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret/activate",
  summary: "Let the prepared signing secret sign.",
  description:
    "For one hour the secret before it signs too, so that receivers accept every delivery by either of the two; then it stops. Refused while a delivery is under way: that holds further ones back for half a minute, so that it can be asked for again once those have ended.",
  reasons: ["not_found", "webhook_secret_rotation_not_prepared", "webhook_secret_rotation_overlap_active", "webhook_delivery_in_progress"],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("activate", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
