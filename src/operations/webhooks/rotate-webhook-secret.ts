import { defineOperation } from "../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const rotateWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "rotateWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret",
  summary: "Replace a signing secret at once.",
  description:
    "From now on only the new secret, which this answer shows, signs; a prepared one is dropped, and an overlap ends. To change it without a gap, prepare and activate one instead. Refused while a delivery is under way: that holds further ones back for half a minute, so that it can be asked for again once those have ended.",
  reasons: ["not_found", "webhook_delivery_in_progress"],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("rotate", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
