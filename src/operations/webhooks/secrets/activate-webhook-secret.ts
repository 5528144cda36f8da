import { defineOperation } from "../../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "../present/present-endpoint.ts";
import { ENDPOINT_OPERATION } from "../shared/webhook-operation.ts";

export const activateWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "activateWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret/activate",
  summary: "Activate the prepared signing secret.",
  description:
    "The prepared secret signs deliveries from now on. The previous secret also signs for one hour, so a " +
    "receiver with either secret accepts every delivery. Refused with 409 while a delivery is in flight: " +
    "no new delivery then starts for half a minute, so that a retry can succeed after those in flight have ended.",
  reasons: [
    "not_found",
    "webhook_secret_rotation_not_prepared",
    "webhook_secret_rotation_overlap_active",
    "webhook_delivery_in_progress",
  ],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("activate", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
