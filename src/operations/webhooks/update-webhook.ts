import { defineOperation } from "../../api/operation.ts";
import { updateEndpoint } from "../../queries/webhooks/update-endpoint.ts";
import { UpdateWebhookRequest } from "./schemas/request-schemas.ts";
import { changeWhileIdle } from "./shared/change-while-idle.ts";
import { checkReceiverUrl, duplicateUrlError } from "./shared/check-receiver-url.ts";
import { createVerificationToken } from "./shared/create-verification-token.ts";
import { endpointNotFound, endpointRefOf, sealOwnerOf } from "./shared/endpoint-access.ts";
import { presentEndpoint } from "./present/present-endpoint.ts";
import { unknownFilterWatchlist } from "./shared/unknown-filter-watchlist.ts";
import { ENDPOINT_OPERATION } from "./shared/webhook-operation.ts";

export const updateWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "updateWebhook",
  method: "patch",
  path: "/api/v1/webhooks/{id}",
  summary: "Change a webhook endpoint.",
  description:
    "A new URL must be verified with the token in this response; pending deliveries are then sent to the " +
    "new URL. The URL cannot change while a delivery is in flight, which is 409: no new delivery then " +
    "starts for half a minute, so that a retry can succeed after those in flight have ended. `enabled: " +
    "false` stops deliveries and moves pending deliveries to dead_letter. `enabled: true` re-enables a " +
    "disabled endpoint and resets its failure count; earlier events are not delivered again.",
  reasons: ["bad_request", "not_found", "webhook_delivery_in_progress", "host_lookup_unavailable"],
  idempotent: true,
  body: UpdateWebhookRequest,
  async handle({ params, body }, context) {
    const { principal, db, now } = context;
    const ref = endpointRefOf(principal, params.id);
    const owner = sealOwnerOf(ref, context);
    const newTarget =
      body.url === undefined
        ? undefined
        : { receiver: await checkReceiverUrl(body.url, context), token: await createVerificationToken(owner, now) };
    const change = {
      name: body.name,
      moveTo: newTarget,
      eventTypes: body.event_types,
      tradeFilters: body.trade_filters,
      enabled: body.enabled,
    };
    const update = async () => {
      const updated = await updateEndpoint(db, ref, change, now);
      switch (updated.kind) {
        case "missing":
          throw endpointNotFound(params.id);
        case "url_taken":
          throw duplicateUrlError();
        case "no_watchlist":
          throw unknownFilterWatchlist();
        case "busy":
          return null;
        case "updated":
          return updated;
      }
    };
    const { row, moved } = await changeWhileIdle(ref, update, context);
    return { data: presentEndpoint(row, { verification: moved ? (newTarget?.token ?? null) : null }) };
  },
});
