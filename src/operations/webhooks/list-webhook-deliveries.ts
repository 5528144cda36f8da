import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { limitParam } from "../../api/params.ts";
import { listDeliveries } from "../../queries/webhooks/deliveries.ts";
import { WebhookDelivery } from "./delivery-schemas.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentDelivery } from "./present-delivery.ts";
import { WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const listWebhookDeliveries = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "list",
  id: "listWebhookDeliveries",
  method: "get",
  path: "/api/v1/webhooks/{id}/deliveries",
  summary: "List an endpoint's deliveries of the last seven days.",
  description: "Newest first, of deleted endpoints too. How many there are is not counted. What was posted, and secrets, are not shown.",
  params: { id: WebhookSegment },
  query: { limit: limitParam({ max: 100, default: 50 }) },
  reasons: ["not_found", "cursor_expired"],
  item: WebhookDelivery,
  cursor: { prefix: "whd_", position: z.object({ id: z.string().regex(/^\d{1,19}$/) }) },
  async handle({ params, query, cursor }, { principal, db, now }) {
    const page = { beforeId: cursor?.id ?? null, limit: query.limit + 1 };
    const rows = await listDeliveries(db, ownEndpoint(principal, params.id), page, now);
    if (rows === null) throw noEndpoint(params.id);
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    return { data: shown.map(presentDelivery), next: rows.length > shown.length && last !== undefined ? { id: String(last.id) } : null };
  },
});
