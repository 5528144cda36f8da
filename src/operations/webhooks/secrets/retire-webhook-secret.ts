import { defineOperation } from "../../../api/operation.ts";
import { changeSecret } from "./change-secret.ts";
import { presentEndpoint } from "../present/present-endpoint.ts";
import { ENDPOINT_OPERATION } from "../shared/webhook-operation.ts";

export const retireWebhookSecret = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "retireWebhookSecret",
  method: "post",
  path: "/api/v1/webhooks/{id}/rotate-secret/retire",
  summary: "End the overlap in which two secrets sign.",
  description:
    "From now on only the newer secret signs. Outside an overlap the request has no effect. The response " +
    "shows no secret.",
  reasons: ["not_found"],
  idempotent: true,
  async handle({ params }, context) {
    const { row, signingSecret } = await changeSecret("retire", params.id, context);
    return { data: presentEndpoint(row, { signingSecret }) };
  },
});
