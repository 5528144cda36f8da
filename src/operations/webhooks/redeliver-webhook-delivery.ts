import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { redeliver } from "../../queries/webhooks/deliveries.ts";
import { WebhookDelivery } from "./schemas/delivery-schemas.ts";
import { endpointNotFound, endpointRefOf } from "./shared/endpoint-access.ts";
import { presentDelivery } from "./present/present-delivery.ts";
import { DeliverySegment, WebhookSegment } from "./schemas/path-segments.ts";
import { enqueueWebhookMessage } from "./shared/enqueue-webhook-message.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

export const redeliverWebhookDelivery = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "redeliverWebhookDelivery",
  method: "post",
  path: "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
  summary: "Redeliver a dead letter.",
  description:
    "Starts up to eight new attempts with the same ids, at the URL and with the secret that the endpoint " +
    "has at the time of the attempt. Refused with 409 when the delivery is not a dead letter, when the " +
    "endpoint is not active, or when it has not registered the event.",
  params: { id: WebhookSegment, delivery_id: DeliverySegment },
  reasons: ["not_found", "webhook_not_delivering", "delivery_not_dead"],
  idempotent: true,
  object: "webhook_delivery",
  data: WebhookDelivery,
  async handle({ params }, context) {
    const { principal, db, now } = context;
    const ref = endpointRefOf(principal, params.id);
    const redelivered = await redeliver(db, ref, params.delivery_id, now);
    switch (redelivered.kind) {
      case "no_endpoint":
        throw endpointNotFound(params.id);
      case "no_delivery":
        throw new ApiError("not_found", {
          param: "delivery_id",
          message: `This endpoint has no delivery ${params.delivery_id}.`,
        });
      case "closed":
        throw new ApiError("webhook_not_delivering", { param: "endpoint" });
      case "not_dead":
        throw new ApiError("delivery_not_dead", { param: "delivery_id" });
      case "redelivered":
        await enqueueWebhookMessage({ kind: "wake_endpoint", endpoint_id: String(ref.id) }, context);
        return { data: presentDelivery(redelivered.row) };
    }
  },
});
