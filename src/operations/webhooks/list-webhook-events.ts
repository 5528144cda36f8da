import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { dataSchemaNameOf, EVENT_CATALOGUE, EVENT_TYPES } from "../../events/registry.ts";
import { WebhookEventDescriptor } from "./schemas/schemas.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

/** One descriptor per spelling. */
const DESCRIPTORS = EVENT_TYPES.flatMap((type) => {
  const { spellings, firesWhen, access, isLive } = EVENT_CATALOGUE[type];
  const [current, ...older] = spellings;
  const status = isLive ? ("active" as const) : ("dormant" as const);
  const description =
    access === "paid" ? `${firesWhen} Delivered only while the account has a paid subscription.` : firesWhen;
  const common = { payload_shape: dataSchemaNameOf(type), status };
  return [
    { id: current as string, description, ...common },
    ...older.map((id) => ({ id, description: `Older spelling of ${current}. ${description}`, ...common })),
  ];
});

export const listWebhookEvents = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "list",
  id: "listWebhookEvents",
  method: "get",
  path: "/api/v1/webhooks/events",
  summary: "List the event types that webhook endpoints can register.",
  description:
    "The list is the same for every API key. Some events require an active paid subscription, and some " +
    "concern only the account itself; their descriptions say so.",
  params: {},
  reasons: [],
  item: WebhookEventDescriptor,
  cursor: null,
  topLevel: {
    total: z
      .int()
      .meta({ description: "Number of event types, including older spellings.", example: DESCRIPTORS.length }),
  },
  async handle() {
    return { data: DESCRIPTORS, next: null, topLevel: { total: DESCRIPTORS.length } };
  },
});
