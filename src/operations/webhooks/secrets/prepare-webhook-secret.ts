import { defineOperation } from "../../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "../present/present-endpoint.ts";
import { ENDPOINT_OPERATION } from "../shared/webhook-operation.ts";

export const prepareWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "prepareWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret/prepare",
  summary: "Prepare a new signing secret.",
  description:
    "The response shows the new secret. It signs only after activation, so configure the receiver first. " +
    "A repeated request returns the same secret. Refused with 409 while two secrets sign.",
  reasons: ["not_found", "webhook_secret_rotation_overlap_active"],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("prepare", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
