import type { Operation } from "../../src/api/operation.ts";
import { cursorParam, describeParam, docOf } from "../../src/api/params.ts";
import { plainSchemaOf, type Json } from "./components.ts";

/** Headers a client may send, besides its key. */
const QUERY_VALIDATION = header(
  "X-Query-Validation",
  "`strict` refuses query names that this operation does not take with 400 `unknown_query_parameter`. Left out or anything else, they are ignored and named in `X-Query-Ignored`.",
  "strict",
);
const IF_NONE_MATCH = header(
  "If-None-Match",
  "The `ETag` of an answer you hold: while nothing has changed you get 304 without a body. Several with commas between them, or `*`. One that matches nothing is ignored.",
  'W/"5f1c0b9a7d3e4c2180aa64fd9b1c2d3e"',
);
const IDEMPOTENCY_KEY = header(
  "Idempotency-Key",
  "A text of your own making for one intent. Sent again within 24 hours with the same request it gets the first answer and runs nothing; with another request it is refused with 422. An empty or longer one is refused with 400. Left out, every request runs.",
  "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
  { minLength: 1, maxLength: 255 },
);
const LAST_EVENT_ID = header(
  "Last-Event-ID",
  "Where to go on: the `id` of the last frame you have. Browsers send it by themselves. It goes before the query's names for the same; what is no whole number counts as left out.",
  "1795176000417",
);

export function parametersOf(operation: Operation): Json[] {
  const path = Object.entries(operation.params).map(([name, schema]) => {
    const { description, examples, ...json } = plainSchemaOf(schema);
    const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
    return { name, in: "path", required: true, description, schema: json, ...(example === undefined ? {} : { example }) };
  });
  const cursors = operation.kind === "list" ? operation.cursor : null;
  const cursor = cursors === null ? {} : { cursor: cursorParam(cursors.prefix, cursors.expiresWithFilters) };
  const query = Object.entries({ ...operation.query, ...cursor }).map(([name, param]) => {
    const { json, required, list } = docOf(param);
    const { description, example } = describeParam(param);
    const spelling = list ? { style: "form", explode: true } : {};
    return { name, in: "query", required, description, schema: json, ...spelling, ...(example === undefined ? {} : { example }) };
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
