import type { z } from "zod";
import type { DeliveryRow } from "../../../queries/webhooks/deliveries.ts";
import type { WebhookDelivery } from "../schemas/delivery-schemas.ts";

export function presentDelivery(row: DeliveryRow): z.input<typeof WebhookDelivery> {
  return {
    id: row.id,
    object: "webhook_delivery",
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempt_count: row.attempt_count,
    ...(row.last_response_status === null ? {} : { last_response_status: row.last_response_status }),
    ...(row.last_error === null ? {} : { last_error: row.last_error }),
    ...(row.delivered_at === null ? {} : { delivered_at: row.delivered_at }),
    next_attempt_at: row.next_attempt_at,
    retry_schedule_reason: row.schedule_reason,
    created_at: row.created_at,
  };
}
