import { readFileSync, writeFileSync } from "node:fs";
import { OpenAPIHono } from "@hono/zod-openapi";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { z } from "zod";
import { ERRORS, type Reason } from "../src/api/errors.ts";
import { takesCursor, type ListOperation, type Operation, type SingleOperation } from "../src/api/operation.ts";
import { docOf } from "../src/api/params.ts";
import { OPERATIONS } from "../src/operations/index.ts";

/*
 * Writes the OpenAPI 3.1 document from the registry, so that the Worker can serve it as bytes.
 *   node scripts/build-openapi.ts           writes it
 *   node scripts/build-openapi.ts --check   fails when the stored document is out of step, or when the linter finds an error
 */
const file = new URL("../src/generated/openapi.txt", import.meta.url);

type Json = Record<string, unknown>;

const ErrorEnvelope: Json = {
  type: "object",
  required: ["object", "error", "meta"],
  properties: {
    object: { type: "string", const: "error" },
    error: {
      type: "object",
      required: ["code", "message", "param"],
      properties: {
        code: { type: "string", enum: [...new Set(Object.values(ERRORS).map((row) => row.code))] },
        message: { type: "string" },
        doc_url: { type: "string", format: "uri" },
        param: { type: ["string", "null"], description: "The offending query name, path segment, header or JSON path." },
        reason: { type: "string" },
        retry_at: { type: "string", format: "date-time" },
        freshness: {
          type: "object",
          required: ["max_age_s", "data_quality_status"],
          properties: {
            max_age_s: { type: "integer" },
            data_quality_status: { type: "string" },
            actual_age_s: { type: "integer" },
            as_of: { type: "string", format: "date-time" },
          },
        },
      },
    },
    meta: { $ref: "#/components/schemas/ResponseMeta" },
  },
};

const ResponseMeta: Json = {
  type: "object",
  required: ["request_id", "cached"],
  properties: {
    request_id: { type: "string", pattern: "^req_", description: "Equals the X-Request-Id header." },
    cached: { type: "boolean" },
    cache_age_s: { type: "integer", description: "Absent when not cached." },
    cost: { type: "integer" },
  },
};

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

const WITH_BODY: readonly Reason[] = ["invalid_body", "unsupported_media_type", "payload_too_large"];
const IDEMPOTENT: readonly Reason[] = ["bad_request", "idempotency_in_progress", "idempotency_outcome_lost", "idempotency_key_reused"];

function reasonsOf(operation: Operation): Reason[] {
  return [
    ...PUBLIC,
    ...(operation.access === "key" ? KEYED : []),
    ...(operation.plan === "max" ? (["max_plan_required"] as const) : []),
    ...(Object.keys(operation.params).length > 0 ? (["invalid_path"] as const) : []),
    ...(bodyOf(operation) === null ? [] : WITH_BODY),
    ...(isIdempotent(operation) ? IDEMPOTENT : []),
    ...operation.reasons,
  ];
}

const bodyOf = (operation: Operation) => (operation.kind === "single" && operation.body !== undefined ? operation.body : null);
const isIdempotent = (operation: Operation) => operation.kind === "single" && operation.idempotent === true;

function errorResponses(operation: Operation): Json {
  const byStatus = Map.groupBy(reasonsOf(operation), (reason) => ERRORS[reason].status);
  return Object.fromEntries(
    [...byStatus].map(([status, reasons]) => [
      String(status),
      {
        description: [...new Set(reasons)].map((reason) => `\`${reason}\`: ${ERRORS[reason].message}`).join(" "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

const components: Json = { Error: ErrorEnvelope, ResponseMeta };

/** A body's schema, its named parts moved to the components. */
function schemaOf(schema: z.ZodType): Json {
  const {
    $defs = {},
    $schema: _,
    ...root
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Json & {
    $defs?: Json;
  };
  for (const [name, definition] of Object.entries($defs as Json)) components[name] = relink(withoutId(definition as Json));
  const id = typeof root["id"] === "string" ? root["id"] : null;
  if (id === null) return relink(root);
  components[id] = relink(withoutId(root));
  return { $ref: `#/components/schemas/${id}` };
}

const withoutId = ({ id: _, ...schema }: Json): Json => schema;

function relink<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
}

function envelopeOf(operation: SingleOperation | ListOperation): Json {
  const own = operation.meta === undefined ? null : schemaOf(z.object(operation.meta));
  const meta =
    own === null ? { $ref: "#/components/schemas/ResponseMeta" } : { allOf: [{ $ref: "#/components/schemas/ResponseMeta" }, own] };
  if (operation.kind === "single") {
    return {
      type: "object",
      required: ["object", "data", "meta"],
      properties: { object: { type: "string", const: operation.object }, data: schemaOf(operation.data), meta },
    };
  }
  const beside =
    operation.topLevel === undefined ? {} : (schemaOf(z.object(operation.topLevel)) as { properties?: Json; required?: string[] });
  return {
    type: "object",
    required: ["object", "data", "has_more", ...(beside.required ?? []), "meta"],
    properties: {
      object: { type: "string", const: "list" },
      data: { type: "array", items: schemaOf(operation.item) },
      ...beside.properties,
      has_more: { type: "boolean" },
      ...(takesCursor(operation) ? { next_cursor: { type: "string", description: "Left out on the last page." } } : {}),
      meta,
    },
  };
}

function parametersOf(operation: Operation): Json[] {
  const path = Object.entries(operation.params).map(([name, schema]) => ({ name, in: "path", required: true, schema: pathSchema(schema) }));
  const query = Object.entries(operation.query).map(([name, param]) => {
    const { json, required, list } = docOf(param);
    return { name, in: "query", required, schema: json, ...(list ? { style: "form", explode: true } : {}) };
  });
  const cursor = takesCursor(operation) ? [{ name: "cursor", in: "query", required: false, schema: { type: "string" } }] : [];
  const header = (name: string, description: string, bounds: Json = {}) => ({
    name,
    in: "header",
    required: false,
    schema: { type: "string", ...bounds },
    description,
  });
  return [
    ...path,
    ...query,
    ...cursor,
    header("X-Query-Validation", "`strict` refuses unknown query names."),
    ...(operation.conditional ? [header("If-None-Match", "An ETag of an earlier answer.")] : []),
    ...(isIdempotent(operation)
      ? [header("Idempotency-Key", "Makes a repeat within 24 hours get the first answer.", { minLength: 1, maxLength: 255 })]
      : []),
  ];
}

function requestBodyOf(operation: Operation): Json {
  const body = bodyOf(operation);
  return body === null ? {} : { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } } };
}

function pathSchema(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  return json;
}

const text = (description: string) => ({ description, schema: { type: "string" } });

function successOf(operation: Operation): Json {
  if (operation.kind === "redirect")
    return { [operation.status]: { description: "The document's address.", headers: { Location: text("The document's address.") } } };
  const headers = {
    "X-Request-Id": text("The request's id."),
    "X-Query-Ignored": text("Query names that were ignored."),
    "X-Effective-Query": text("The query names and values in effect, form-urlencoded."),
    ...(operation.conditional ? { ETag: text("A weak validator of the stable body.") } : {}),
    ...(operation.alias === undefined
      ? {}
      : { Deprecation: text("Since when, as @unix seconds."), Sunset: text("Until when at least."), Link: text("The successor.") }),
  };
  const status = operation.kind === "single" ? (operation.successStatus ?? 200) : 200;
  const content =
    operation.kind === "text"
      ? { "text/markdown": { schema: { type: "string" } } }
      : { "application/json": { schema: envelopeOf(operation) } };
  return {
    [status]: { description: "The answer.", headers, content },
    ...(operation.conditional ? { "304": { description: "Nothing has changed since the ETag that was sent." } } : {}),
  };
}

function buildDocument(): string {
  const app = new OpenAPIHono();
  for (const operation of OPERATIONS) {
    app.openAPIRegistry.registerPath({
      method: operation.method,
      path: operation.path,
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      ...(operation.alias === undefined ? {} : { deprecated: true }),
      security: operation.access === "key" ? [{ bearer: [] }] : [],
      // The registry's types want its own schema objects; it passes plain OpenAPI objects through unchanged.
      parameters: parametersOf(operation) as never,
      ...requestBodyOf(operation),
      responses: { ...successOf(operation), ...errorResponses(operation) } as never,
    });
  }
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Prediction-Market Activity API",
      version: "1.0.0",
      description: "Large trades, wallets, rankings and markets of one prediction-market provider.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "https://api.example.com", description: "The API origin of a deployment." }],
    tags: [...new Set(OPERATIONS.map((operation) => operation.tag))].map((name) => ({ name, description: `${name} operations.` })),
  });
  const withComponents = {
    ...document,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key." } },
    },
  };
  return `${JSON.stringify(withComponents, null, 1)}\n`;
}

async function lint(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-4xx-response": "error" } });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems
    .filter((problem) => problem.severity === "error")
    .map((p) => `${p.ruleId}: ${p.message} at ${p.location[0]?.pointer ?? "?"}`);
}

const document = buildDocument();
const problems = await lint(document);
for (const problem of problems) console.error(problem);
if (process.argv.includes("--check")) {
  const inStep = readFileSync(file, "utf8") === document;
  if (!inStep) console.error("src/generated/openapi.txt is out of step with the registry: run npm run openapi");
  process.exitCode = inStep && problems.length === 0 ? 0 : 1;
} else {
  writeFileSync(file, document);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
