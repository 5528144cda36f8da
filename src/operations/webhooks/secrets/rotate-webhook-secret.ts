import { defineOperation } from "../../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "../present/present-endpoint.ts";
import { ENDPOINT_OPERATION } from "../shared/webhook-operation.ts";

export const rotateWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "rotateWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret",
  summary: "Replace a signing secret immediately.",
  description:
    "From now on only the new secret signs; the response shows it. A prepared secret is dropped, and an " +
    "overlap ends. For a rotation without a gap, prepare and activate a secret instead. Refused with 409 " +
    "while a delivery is in flight: no new delivery then starts for half a minute, so that a retry can " +
    "succeed after those in flight have ended.",
  reasons: ["not_found", "webhook_delivery_in_progress"],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("rotate", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
