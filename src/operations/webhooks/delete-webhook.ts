import { defineOperation } from "../../api/operation.ts";
import { deleteEndpoint } from "../../queries/webhooks/delete-endpoint.ts";
import { endpointNotFound, endpointRefOf } from "./shared/endpoint-access.ts";
import { presentEndpoint } from "./present/present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./shared/webhook-operation.ts";

export const deleteWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "deleteWebhook",
  method: "delete",
  path: "/api/v1/webhooks/{id}",
  summary: "Delete a webhook endpoint.",
  description:
    "Deliveries stop, and pending deliveries become dead letters. The response shows the endpoint as " +
    "disabled. Lists no longer contain it, but its deliveries can be read for seven days. Deleting it " +
    "again has no effect.",
  reasons: ["not_found"],
  idempotent: true,
  async handle({ params }, { principal, db, now }) {
    const row = await deleteEndpoint(db, endpointRefOf(principal, params.id), now);
    if (row === null) throw endpointNotFound(params.id);
    return { data: presentEndpoint(row) };
  },
});
