import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { redeliver } from "../../queries/webhooks/deliveries.ts";
import { WebhookDelivery } from "./delivery-schemas.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentDelivery } from "./present-delivery.ts";
import { DeliverySegment, WebhookSegment } from "./segments.ts";
import { tell } from "./tell.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const redeliverWebhookDelivery = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "redeliverWebhookDelivery",
  method: "post",
  path: "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
  summary: "Deliver a dead letter again.",
  description:
    "It is attempted anew, up to eight times, under the same ids, at the URL and with the secret that the endpoint has by then. What is delivered or still to be is refused, and so is everything while the endpoint is not active or has not registered the event.",
  params: { id: WebhookSegment, delivery_id: DeliverySegment },
  reasons: ["not_found", "webhook_not_delivering", "delivery_not_dead"],
  idempotent: true,
  object: "webhook_delivery",
  data: WebhookDelivery,
  async handle({ params }, context) {
    const { principal, db, now } = context;
    const ref = ownEndpoint(principal, params.id);
    const redelivered = await redeliver(db, ref, params.delivery_id, now);
    switch (redelivered.kind) {
      case "no_endpoint":
        throw noEndpoint(params.id);
      case "no_delivery":
        throw new ApiError("not_found", { param: "delivery_id", message: `This endpoint has no delivery ${params.delivery_id}.` });
      case "closed":
        throw new ApiError("webhook_not_delivering", { param: "endpoint" });
      case "not_dead":
        throw new ApiError("delivery_not_dead", { param: "delivery_id" });
      case "redelivered":
        await tell({ kind: "wake_endpoint", endpoint_id: String(ref.id) }, context);
        return { data: presentDelivery(redelivered.row) };
    }
  },
});
