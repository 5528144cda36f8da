import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { limitParam } from "../../api/request/query-params.ts";
import { listDeliveries } from "../../queries/webhooks/deliveries.ts";
import { WebhookDelivery } from "./schemas/delivery-schemas.ts";
import { endpointNotFound, endpointRefOf } from "./shared/endpoint-access.ts";
import { presentDelivery } from "./present/present-delivery.ts";
import { WebhookSegment } from "./schemas/path-segments.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

export const listWebhookDeliveries = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "list",
  id: "listWebhookDeliveries",
  method: "get",
  path: "/api/v1/webhooks/{id}/deliveries",
  summary: "List the deliveries of an endpoint in the last seven days.",
  description:
    "Newest first, also for deleted endpoints. The response has no total. It never contains posted bodies or secrets.",
  params: { id: WebhookSegment },
  query: { limit: limitParam({ max: 100, default: 50 }) },
  reasons: ["not_found", "cursor_expired"],
  item: WebhookDelivery,
  cursor: { prefix: "whd_", position: z.object({ id: z.string().regex(/^\d{1,19}$/) }) },
  async handle({ params, query, cursor }, { principal, db, now }) {
    const page = { beforeId: cursor?.id ?? null, limit: query.limit + 1 };
    const rows = await listDeliveries(db, endpointRefOf(principal, params.id), page, now);
    if (rows === null) throw endpointNotFound(params.id);
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    return {
      data: shown.map(presentDelivery),
      next: rows.length > shown.length && last !== undefined ? { id: String(last.id) } : null,
    };
  },
});
