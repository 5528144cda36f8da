import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "../../src/domain/event-catalogue.ts";
import { EVENT_DATA } from "../../src/messages/event-data.ts";
import { composeExample } from "./compose-example.ts";
import type { Components, Json } from "./components.ts";

export const WEBHOOKS_TAG = "Webhooks";

const EVENT_ID = "evt_1_90210";
const SIGNED_AT = "1795176004";
/** Hex and base64 of 32 bytes. */
const HEX = "b7a1f0c3d4e5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff";
const BASE64 = "t6Hww9TlloeHaVpLPC0eDwARIjNEVWZ3iJmqu8zd7v8=";

/** What is posted to webhooks, an entry for each name that an event can be registered by. */
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
      description: "Signed byte for byte as it is posted: verify before parsing.",
      content: { "application/json": { schema, example } },
    },
    responses: {
      "2XX": { description: "The event has arrived. What the answer says is not read." },
      "410": { description: "The receiver is gone for good: the endpoint is disabled and nothing further is posted." },
      default: { description: "A failure, redirects included: the same body is posted again, eight times in all about a minute apart." },
    },
  };
}

function describe(type: EventType, spelling: string): string {
  const { spellings, isProOnly, isOwnersOnly, isLive, firesWhen } = EVENT_CATALOGUE[type];
  const others = spellings.filter((other) => other !== spelling).map((other) => `\`${other}\``);
  return [
    firesWhen,
    others.length === 0
      ? ""
      : `The same event as ${others.join(", ")}; an endpoint is told of it once, under the name that it registered first.`,
    isProOnly ? "Posted while the account has a paid subscription." : "",
    isOwnersOnly ? "Posted only to endpoints of the account whose it is." : "",
    isLive ? "" : "Nothing makes it happen yet: it can be registered, and is not posted.",
    "An event may come more than once and out of order: tell repeats by `id`. Answer with a 2xx status within 15 seconds.",
  ]
    .filter((words) => words !== "")
    .join(" ");
}

function bodyOf(type: EventType, spelling: string, components: Components): Json {
  const isFill = type === "large_trade_inserted_v2";
  return {
    type: "object",
    description: "What is posted.",
    required: ["id", "type", "created_at", "data"],
    properties: {
      id: { type: "string", description: "The event's id, the same on every attempt and on a redelivery.", examples: [EVENT_ID] },
      type: { type: "string", const: spelling, description: "The name under which the endpoint registered the event." },
      created_at: {
        type: "string",
        format: "date-time",
        description: isFill ? "When the trade was filled, UTC." : "When the event was recorded, UTC.",
        examples: [isFill ? "2026-11-20T11:59:58.000Z" : "2026-11-20T12:00:01.250Z"],
      },
      data: components.schemaOf(EVENT_DATA[type]),
    },
  };
}

function headersOf(spelling: string): Json[] {
  return [
    header(
      "x-service-signature",
      "`v1=` and the hex of HMAC-SHA-256 over `<timestamp>.<body>`, keyed with the whole signing secret. Several with commas between them while two secrets are in force: any match will do. All names that begin with `x-service` do so with the deployment's own prefix.",
      `v1=${HEX}`,
    ),
    header(
      "x-service-timestamp",
      "When it was signed, in Unix seconds. Refuse one that is more than five minutes from your clock.",
      SIGNED_AT,
    ),
    header("x-service-event-id", "The same as `id` in the body.", EVENT_ID),
    header("x-service-event-type", "The same as `type` in the body.", spelling),
    header("x-service-delivery-id", "Names the delivery: this event to this endpoint. The same on every attempt.", "417"),
    header("x-service-delivery-attempt", "Which attempt it is, from 1.", "1"),
    header("webhook-id", "The same as `id` in the body, as Standard Webhooks has it.", EVENT_ID),
    header("webhook-timestamp", "The same as `x-service-timestamp`, as Standard Webhooks has it.", SIGNED_AT),
    header(
      "webhook-signature",
      "`v1,` and the base64 of HMAC-SHA-256 over `<id>.<timestamp>.<body>`, as Standard Webhooks has it, keyed with the bytes that the part of the secret after `whsec_` is base64 of. Several with spaces between them while two secrets are in force.",
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
