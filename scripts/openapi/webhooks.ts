import { z } from "zod";
import { dataSchemaOf, EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "../../src/events/registry.ts";
import { composeExample } from "./compose-example.ts";
import type { Components, Json } from "./components.ts";

export const WEBHOOKS_TAG = "Webhooks";

const EVENT_ID = "evt_5b0f7c2d9e310a6801d2c3e4f5061728";
const SIGNED_AT = "1795176004";
/** 32 bytes in hex; BASE64 is another encoding of the same bytes. */
const HEX = "b7a1f0c3d4e5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff";
const BASE64 = "t6Hww9TlloeHaVpLPC0eDwARIjNEVWZ3iJmqu8zd7v8=";

/** The webhook payloads, one entry for each name under which an event can be registered. */
export function webhooksOf(components: Components): Json {
  return Object.fromEntries(
    EVENT_TYPES.flatMap((type) =>
      EVENT_CATALOGUE[type].spellings.map((spelling) => [spelling, { post: postOf(type, spelling, components) }]),
    ),
  );
}

function postOf(type: EventType, spelling: string, components: Components): Json {
  const schema = bodyOf(type, spelling, components);
  const example = composeExample(schema, components.schemas, `webhook ${spelling}`);
  return {
    operationId: `receive_${spelling}`,
    tags: [WEBHOOKS_TAG],
    summary: EVENT_CATALOGUE[type].firesWhen.split(/(?<=[.;])\s/)[0]?.replace(/;$/, "."),
    description: describe(type, spelling),
    security: [],
    parameters: headersOf(spelling),
    requestBody: {
      required: true,
      description: "The signature covers the exact bytes of the body: verify it before parsing.",
      content: { "application/json": { schema, example } },
    },
    responses: {
      "2XX": { description: "The event is accepted. The response body is ignored." },
      "410": { description: "The receiver is permanently gone: the endpoint is disabled and receives nothing more." },
      default: {
        description:
          "A failure, including redirects: the same body is sent again, eight attempts in all about a minute apart.",
      },
    },
  };
}

function describe(type: EventType, spelling: string): string {
  const { spellings, access, isLive, firesWhen } = EVENT_CATALOGUE[type];
  const others = spellings.filter((other) => other !== spelling).map((other) => `\`${other}\``);
  return [
    firesWhen,
    others.length === 0
      ? ""
      : `The same event as ${others.join(", ")}; an endpoint receives it once, under the name that it registered first.`,
    access === "paid" ? "Sent while the account has a paid subscription." : "",
    access === "owner" ? "Sent only to endpoints of the account that it concerns." : "",
    isLive ? "" : "Not produced yet: it can be registered, but is never sent.",
    "An event may arrive more than once and out of order: detect repeats by `id`. Respond with a 2xx status within 15 seconds.",
  ]
    .filter((words) => words !== "")
    .join(" ");
}

function bodyOf(type: EventType, spelling: string, components: Components): Json {
  const { payload, occurredAt } = EVENT_CATALOGUE[type];
  return {
    type: "object",
    description: "The body of the request.",
    required: ["id", "type", "created_at", "data"],
    properties: {
      id: {
        type: "string",
        description: "The event's id, the same on every attempt and on a redelivery.",
        examples: [EVENT_ID],
      },
      type: { type: "string", const: spelling, description: "The name under which the endpoint registered the event." },
      created_at: {
        type: "string",
        format: "date-time",
        description: occurredAt?.description ?? "When the event was recorded, UTC.",
        examples: [occurredAt === undefined ? "2026-11-20T12:00:01.250Z" : exampleOf(payload.shape[occurredAt.field])],
      },
      data: components.schemaOf(dataSchemaOf(type)),
    },
  };
}

/** The example that a field declares. */
const exampleOf = (field: z.core.$ZodType | undefined): unknown =>
  field === undefined ? undefined : z.globalRegistry.get(field)?.["example"];

function headersOf(spelling: string): Json[] {
  return [
    header(
      "x-service-signature",
      "`v1=` and the hex of HMAC-SHA-256 over `<timestamp>.<body>`, keyed with the whole signing secret. Several values with commas between them while two secrets are valid: accept any match. All header names with `x-service` carry the deployment's own prefix instead.",
      `v1=${HEX}`,
    ),
    header(
      "x-service-timestamp",
      "When the request was signed, in Unix seconds. Refuse a value that is more than five minutes from your clock.",
      SIGNED_AT,
    ),
    header("x-service-event-id", "The same as `id` in the body.", EVENT_ID),
    header("x-service-event-type", "The same as `type` in the body.", spelling),
    header(
      "x-service-delivery-id",
      "The id of the delivery: this event to this endpoint. The same on every attempt.",
      "417",
    ),
    header("x-service-delivery-attempt", "The number of the attempt, from 1.", "1"),
    header("webhook-id", "The same as `id` in the body, in the form of Standard Webhooks.", EVENT_ID),
    header("webhook-timestamp", "The same as `x-service-timestamp`, in the form of Standard Webhooks.", SIGNED_AT),
    header(
      "webhook-signature",
      "`v1,` and the base64 of HMAC-SHA-256 over `<id>.<timestamp>.<body>`, in the form of Standard Webhooks. The key is the decoded base64 after `whsec_` in the secret. Several values with spaces between them while two secrets are valid.",
      `v1,${BASE64}`,
    ),
  ];
}

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});
