import type { Operation } from "../../src/api/operation.ts";
import { cursorParam, describeParam, docOf } from "../../src/api/request/query-params.ts";
import { plainSchemaOf, type Json } from "./components.ts";

/** Optional request headers other than the key. */
const QUERY_VALIDATION = header(
  "X-Query-Validation",
  "`strict` refuses query parameters that this operation does not know with 400 `unknown_query_parameter`. Any other value, or none, ignores them and lists them in `X-Query-Ignored`.",
  "strict",
);
const IF_NONE_MATCH = header(
  "If-None-Match",
  "The `ETag` of a response that you have: 304 without a body follows while nothing has changed. Several values with commas between them, or `*`. A value that matches nothing is ignored.",
  'W/"5f1c0b9a7d3e4c2180aa64fd9b1c2d3e"',
);
const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "A text of your choice that identifies one intent. A repeat within 24 hours with the same request returns the first response and runs nothing; with a different request it is refused with 422. An empty or longer text is refused with 400. Without the header every request runs.",
  "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
  { minLength: 1, maxLength: 255 },
);
const LAST_EVENT_ID = header(
  "Last-Event-ID",
  "Where to resume: the `id` of the last frame that you received. Browsers send it automatically. It takes precedence over the equivalent query parameters; a value that is not a whole number is ignored.",
  "1795176000417",
);

export function parametersOf(operation: Operation): Json[] {
  const path = Object.entries(operation.params).map(([name, schema]) => {
    const { description, examples, ...json } = plainSchemaOf(schema);
    const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
    return {
      name,
      in: "path",
      required: true,
      description,
      schema: json,
      ...(example === undefined ? {} : { example }),
    };
  });
  const cursors = operation.kind === "list" ? operation.cursor : null;
  const cursor = cursors === null ? {} : { cursor: cursorParam(cursors.prefix, cursors.expiresWithFilters) };
  const query = Object.entries({ ...operation.query, ...cursor }).map(([name, param]) => {
    const { json, required, list } = docOf(param);
    const { description, example } = describeParam(param);
    const spelling = list ? { style: "form", explode: true } : {};
    return {
      name,
      in: "query",
      required,
      description,
      schema: json,
      ...spelling,
      ...(example === undefined ? {} : { example }),
    };
  });
  const isIdempotent = operation.kind === "single" && operation.idempotent === true;
  return [
    ...path,
    ...query,
    QUERY_VALIDATION,
    ...(operation.conditional ? [IF_NONE_MATCH] : []),
    ...(isIdempotent ? [IDEMPOTENCY_KEY] : []),
    ...(operation.kind === "stream" ? [LAST_EVENT_ID] : []),
  ];
}

function header(name: string, description: string, example: string, bounds: Json = {}): Json {
  return { name, in: "header", required: false, description, schema: { type: "string", ...bounds }, example };
}
