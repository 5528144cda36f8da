import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../domain/event-catalogue.ts";
import { WebhookEventDescriptor } from "./schemas.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

/** One a spelling. */
const DESCRIPTORS = EVENT_TYPES.flatMap((type) => {
  const { spellings, firesWhen, isProOnly, payload, isLive } = EVENT_CATALOGUE[type];
  const [present, ...older] = spellings;
  const status = isLive ? ("active" as const) : ("dormant" as const);
  const description = isProOnly ? `${firesWhen} Posted while the account has a paid subscription.` : firesWhen;
  const shown = { payload_shape: payload, status };
  return [
    { id: present as string, description, ...shown },
    ...older.map((id) => ({ id, description: `An older spelling of ${present}. ${description}`, ...shown })),
  ];
});

export const listWebhookEvents = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "list",
  id: "listWebhookEvents",
  method: "get",
  path: "/api/v1/webhooks/events",
  summary: "List the events that webhook endpoints can register.",
  description: "The same for every key. Some need an active paid subscription, and some concern their account alone; their words say so.",
  params: {},
  reasons: [],
  item: WebhookEventDescriptor,
  cursor: null,
  topLevel: { total: z.int().meta({ description: "How many there are.", example: 16 }) },
  async handle() {
    return { data: DESCRIPTORS, next: null, topLevel: { total: DESCRIPTORS.length } };
  },
});
