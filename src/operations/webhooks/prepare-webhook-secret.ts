import { defineOperation } from "../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const prepareWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "prepareWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret/prepare",
  summary: "Prepare another signing secret.",
  description:
    "The answer shows the new secret, which does not sign before it is activated: teach it to the receiver first. Asked again, it is the same secret. Refused while two secrets sign.",
  reasons: ["not_found", "webhook_secret_rotation_overlap_active"],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("prepare", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
