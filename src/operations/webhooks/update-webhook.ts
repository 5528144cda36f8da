import { defineOperation } from "../../api/operation.ts";
import { updateEndpoint } from "../../queries/webhooks/update-endpoint.ts";
import { UpdateWebhookRequest } from "./bodies.ts";
import { changeAtRest } from "./at-rest.ts";
import { checkUrl, urlTaken } from "./check-url.ts";
import { makeToken } from "./make-token.ts";
import { noEndpoint, ownEndpoint, sealedFor } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const updateWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "updateWebhook",
  method: "patch",
  path: "/api/v1/webhooks/{id}",
  summary: "Change a webhook endpoint.",
  description:
    "Another URL has to be verified with the token that this answer shows; what waits is then sent to it. While a delivery is under way the URL cannot be changed: a refusal holds further ones back for half a minute, so that it can be once those under way have ended. enabled false stops deliveries and makes dead letters of what waits. enabled true starts a disabled endpoint again, with no failures counted, and sends nothing again.",
  reasons: ["bad_request", "not_found", "webhook_delivery_in_progress", "host_lookup_unavailable"],
  idempotent: true,
  body: UpdateWebhookRequest,
  async handle({ params, body }, context) {
    const { principal, db, now } = context;
    const ref = ownEndpoint(principal, params.id);
    const owner = sealedFor(ref, context);
    const moveTo = body.url === undefined ? undefined : { receiver: await checkUrl(body.url, context), token: await makeToken(owner, now) };
    const change = { name: body.name, moveTo, eventTypes: body.event_types, tradeFilters: body.trade_filters, enabled: body.enabled };
    const update = async () => {
      const updated = await updateEndpoint(db, ref, change, now);
      switch (updated.kind) {
        case "missing":
          throw noEndpoint(params.id);
        case "url_taken":
          throw urlTaken();
        case "busy":
          return null;
        case "updated":
          return updated;
      }
    };
    const { row, moved } = await changeAtRest(ref, update, context);
    return { data: presentEndpoint(row, { verification: moved ? (moveTo?.token ?? null) : null }) };
  },
});
