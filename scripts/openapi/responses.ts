import { ERRORS, type Reason } from "../../src/api/errors.ts";
import type { ListOperation, Operation, SingleOperation, StreamOperation } from "../../src/api/operation.ts";
import { composeExample } from "./compose-example.ts";
import type { Components, Json } from "./components.ts";
import { envelopeOf } from "./envelopes.ts";
import { textExampleOf } from "./text-examples.ts";

const PUBLIC: readonly Reason[] = [
  "invalid_query",
  "unknown_query_parameter",
  "ip_rate_limited",
  "ip_throttled",
  "request_timeout",
  "internal_error",
  "database_unavailable",
];
const KEYED: readonly Reason[] = [
  "invalid_api_key",
  "api_key_in_query",
  "sandbox_api_key",
  "subscription_inactive",
  "forbidden",
  "insufficient_scope",
  "account_locked",
  "rate_limited",
  "monthly_quota_exceeded",
  "request_accounting_unavailable",
];
const WITH_SESSION: readonly Reason[] = ["invalid_api_key", "forbidden", "account_locked", "rate_limited"];
const WITH_BODY: readonly Reason[] = ["invalid_body", "unsupported_media_type", "payload_too_large"];
const IDEMPOTENT: readonly Reason[] = [
  "bad_request",
  "idempotency_in_progress",
  "idempotency_outcome_lost",
  "idempotency_key_reused",
];

export function requestBodyOf(operation: Operation, components: Components): Json {
  const body = bodyOf(operation);
  if (body === null) return {};
  const schema = components.schemaOf(body);
  const example = composeExample(schema, components.schemas, `${operation.id} body`);
  const required = operation.kind === "single" && operation.isBodyOptional !== true;
  return { requestBody: { required, content: { "application/json": { schema, example } } } };
}

export function responsesOf(operation: Operation, components: Components): Json {
  return { ...successOf(operation, components), ...errorResponses(operation) };
}

function successOf(operation: Operation, components: Components): Json {
  if (operation.kind === "redirect") {
    const Location = text(operation.target.description, operation.target.example);
    const redirect = {
      [operation.status]: {
        description: "A redirect to the URL in `Location`, without a body.",
        headers: { Location },
      },
    };
    if (operation.servesTarget !== true) return redirect;
    return {
      "200": {
        description: "The document itself, where the same path is requested on the website's origin.",
        content: {
          "application/json": {
            schema: { type: "object", description: "An OpenAPI 3.1 document." },
            example: {
              openapi: "3.1.0",
              info: { title: "Prediction-Market Activity API", version: "1.0.0" },
              paths: {},
            },
          },
        },
      },
      ...redirect,
    };
  }
  if (operation.kind === "retired") return {};
  const headers = {
    "X-Request-Id": text("The id of this request, equal to `meta.request_id`.", "req_5f1c0b9a7d3e4c2180aa64fd"),
    "X-Query-Ignored": text(
      "The sent query parameters that this operation does not know, with commas between them.",
      "colour",
    ),
    "X-Effective-Query": text("The sent query parameters that took effect, form-urlencoded.", "limit=100"),
    ...(operation.conditional
      ? {
          ETag: text(
            "A validator of the response content. Send it as `If-None-Match` with the next request.",
            'W/"5f1c0b9a7d3e4c2180aa64fd9b1c2d3e"',
          ),
        }
      : {}),
    ...(operation.alias === undefined
      ? {}
      : {
          Deprecation: text("When this path became deprecated: @ and Unix seconds.", "@1793491200"),
          Sunset: text("The earliest time at which this path may stop working.", "Wed, 01 Nov 2028 00:00:00 GMT"),
          Link: text(
            "The current path of the same operation.",
            `<${operation.alias.successor}>; rel="successor-version"`,
          ),
        }),
  };
  const status = operation.kind === "single" ? (operation.successStatus ?? 200) : 200;
  return {
    [status]: { ...contentOf(operation, components), headers },
    ...(operation.kind === "single" && operation.mayReuse === true
      ? {
          "200": {
            ...contentOf(operation, components),
            description: "An equal request was submitted before, and its result is returned. The cost is 0.",
            headers,
          },
        }
      : {}),
    ...(operation.conditional ? { "304": { description: "Nothing has changed since the sent ETag." } } : {}),
  };
}

function contentOf(operation: Exclude<Operation, { kind: "redirect" | "retired" }>, components: Components): Json {
  if (operation.kind === "text") return { description: "The document.", content: markdown(operation, components) };
  if (operation.kind === "stream")
    return { description: "The stream, open until either side closes it.", content: events(operation, components) };
  return { description: "The requested data.", content: json(operation, components) };
}

/** The frames of a stream by their `event` field; each frame's data is JSON of the schema with that name. */
function events({ id, frames }: StreamOperation, components: Components): Json {
  const named = Object.entries(frames).map(([event, data]) => ({ event, schema: components.schemaOf(data) }));
  const example = named.map(({ event, schema }) => {
    const data = JSON.stringify(composeExample(schema, components.schemas, `${id} frame`));
    return `${event === "" ? "" : `event: ${event}\n`}data: ${data}\n\n`;
  });
  const schema = {
    type: "string",
    description: "Server-Sent Events, UTF-8. The data of each frame is JSON of one of the schemas.",
    contentMediaType: "application/json",
    contentSchema: { oneOf: named.map((frame) => frame.schema) },
  };
  return { "text/event-stream": { schema, example: example.join("") } };
}

function json(operation: SingleOperation | ListOperation, components: Components): Json {
  const schema = envelopeOf(operation, components);
  return { "application/json": { schema, example: composeExample(schema, components.schemas, operation.id) } };
}

const markdown = ({ id }: Operation, components: Components): Json => ({
  "text/markdown": {
    schema: { type: "string", description: "Markdown, UTF-8." },
    example: textExampleOf(id, components),
  },
});

function errorResponses(operation: Operation): Json {
  const byStatus = Map.groupBy(new Set(reasonsOf(operation)), (reason) => ERRORS[reason].status);
  return Object.fromEntries(
    [...byStatus].map(([status, reasons]) => [
      String(status),
      {
        description: reasons.map((reason) => `\`${reason}\`: ${ERRORS[reason].message}`).join(" "),
        ...(reasons.every((reason) => ERRORS[reason].retry === "never")
          ? {}
          : { headers: { "Retry-After": text("Whole seconds to wait before a retry.", "5") } }),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

/** Every documented way in which an operation fails. */
export function reasonsOf(operation: Operation): Reason[] {
  const isIdempotent = operation.kind === "single" && operation.idempotent === true;
  return [
    ...PUBLIC,
    ...(operation.access === "key" ? KEYED : []),
    ...(operation.access === "session" ? sessionReasonsOf(operation) : []),
    ...(operation.plan === "max" ? (["max_plan_required"] as const) : []),
    ...(Object.keys(operation.params).length > 0 ? (["invalid_path"] as const) : []),
    ...(bodyOf(operation) === null ? [] : WITH_BODY),
    ...(isIdempotent ? IDEMPOTENT : []),
    ...operation.reasons,
  ];
}

/** A request that changes something is refused without the media type, even where it has no body. */
const sessionReasonsOf = ({ method, plan }: Operation): readonly Reason[] => [
  ...WITH_SESSION,
  ...(plan === null ? [] : (["subscription_inactive"] as const)),
  ...(method === "get" ? [] : (["unsupported_media_type"] as const)),
];

const bodyOf = (operation: Operation) =>
  operation.kind === "single" && operation.body !== undefined ? operation.body : null;

const text = (description: string, example: string): Json => ({ description, schema: { type: "string" }, example });
