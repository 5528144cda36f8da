import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { updateEndpoint } from "../../queries/webhooks/update-endpoint.ts";
import { UpdateWebhookRequest } from "./bodies.ts";
import { checkUrl, urlTaken } from "./check-url.ts";
import { makeToken } from "./make-token.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { WebhookEndpoint } from "./schemas.ts";
import { WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const updateWebhook = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "updateWebhook",
  method: "patch",
  path: "/api/v1/webhooks/{id}",
  summary: "Change a webhook endpoint.",
  description:
    "Another URL has to be verified with the token that this answer shows; what waits is then sent to it. While a delivery is under way the URL cannot be changed. enabled false stops deliveries and makes dead letters of what waits. enabled true starts a disabled endpoint again, with no failures counted, and sends nothing again.",
  params: { id: WebhookSegment },
  reasons: ["bad_request", "not_found", "webhook_delivery_in_progress", "host_lookup_unavailable"],
  idempotent: true,
  object: "webhook",
  data: WebhookEndpoint,
  body: UpdateWebhookRequest,
  async handle({ params, body }, context) {
    const { principal, config, db, now } = context;
    const ref = ownEndpoint(principal, params.id);
    const owner = { accountId: ref.accountId, credentialSecret: config.credentialSecret };
    const moveTo = body.url === undefined ? undefined : { receiver: await checkUrl(body.url, context), token: await makeToken(owner, now) };
    const change = { name: body.name, moveTo, eventTypes: body.event_types, tradeFilters: body.trade_filters, enabled: body.enabled };
    const updated = await updateEndpoint(db, ref, change, now);
    switch (updated.kind) {
      case "missing":
        throw noEndpoint(params.id);
      case "url_taken":
        throw urlTaken();
      case "busy":
        throw new ApiError("webhook_delivery_in_progress", { param: "url" });
      case "updated":
        return { data: presentEndpoint(updated.row, { verification: updated.moved ? (moveTo?.token ?? null) : null }) };
    }
  },
});
