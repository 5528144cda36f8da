import { defineOperation } from "../../api/operation.ts";
import { deleteEndpoint } from "../../queries/webhooks/delete-endpoint.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const deleteWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "deleteWebhook",
  method: "delete",
  path: "/api/v1/webhooks/{id}",
  summary: "Delete a webhook endpoint.",
  description:
    "Nothing is sent to it any more, and what waits becomes dead letters. The answer shows it as disabled; lists leave it out from now on, while its deliveries can still be read for seven days. Deleting it again changes nothing.",
  reasons: ["not_found"],
  idempotent: true,
  async handle({ params }, { principal, db, now }) {
    const row = await deleteEndpoint(db, ownEndpoint(principal, params.id), now);
    if (row === null) throw noEndpoint(params.id);
    return { data: presentEndpoint(row) };
  },
});
