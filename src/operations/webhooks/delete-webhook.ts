import { defineOperation } from "../../api/operation.ts";
import { deleteEndpoint } from "../../queries/webhooks/delete-endpoint.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { WebhookEndpoint } from "./schemas.ts";
import { WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const deleteWebhook = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "deleteWebhook",
  method: "delete",
  path: "/api/v1/webhooks/{id}",
  summary: "Delete a webhook endpoint.",
  description:
    "Nothing is sent to it any more, and what waits becomes dead letters. The answer shows it as disabled; lists leave it out from now on, while its deliveries can still be read for seven days. Deleting it again changes nothing.",
  params: { id: WebhookSegment },
  reasons: ["not_found"],
  idempotent: true,
  object: "webhook",
  data: WebhookEndpoint,
  async handle({ params }, { principal, db, now }) {
    const row = await deleteEndpoint(db, ownEndpoint(principal, params.id), now);
    if (row === null) throw noEndpoint(params.id);
    return { data: presentEndpoint(row) };
  },
});
