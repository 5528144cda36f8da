import { z } from "zod";
import { ERRORS } from "../../src/api/errors.ts";
import { takesCursor, type ListOperation, type SingleOperation } from "../../src/api/operation.ts";
import { composeExample } from "./compose-example.ts";
import type { Components, Json } from "./components.ts";

const REQUEST_ID = "req_5f1c0b9a7d3e4c2180aa64fd";
const META = { $ref: "#/components/schemas/ResponseMeta" };

export const ResponseMeta: Json = {
  type: "object",
  description: "Facts about the response itself. They are not part of the ETag.",
  required: ["request_id", "cached"],
  properties: {
    request_id: {
      type: "string",
      pattern: "^req_",
      description: "The id of this request, equal to the `X-Request-Id` header. Include it in problem reports.",
      examples: [REQUEST_ID],
    },
    cached: {
      type: "boolean",
      description: "Whether the response was computed for an earlier request with the same path and query.",
      examples: [true],
    },
    cache_age_s: {
      type: "integer",
      description: "Whole seconds since the cached response was computed. Absent when `cached` is false.",
      examples: [3],
    },
    cost: {
      type: "integer",
      description:
        "The units that this request took from the month's quota. Absent on a batch, which has `request_cost`.",
      examples: [1],
    },
  },
};

export const ErrorEnvelope: Json = {
  type: "object",
  description: "The shape of every failure, for every status.",
  required: ["object", "error", "meta"],
  properties: {
    object: { type: "string", const: "error", description: "Always `error`; a success has another value." },
    error: {
      type: "object",
      description: "The failure.",
      required: ["code", "message", "param"],
      properties: {
        code: {
          type: "string",
          enum: [...new Set(Object.values(ERRORS).map((row) => row.code))],
          description: "The kind of failure. Branch on it: the code of a given cause never changes.",
          examples: ["bad_request"],
        },
        message: {
          type: "string",
          description: "A description of the failure in English. Its wording may change.",
          examples: ["limit must be an integer."],
        },
        doc_url: {
          type: "string",
          format: "uri",
          description: "The documentation of this failure.",
          examples: ["https://www.example.com/docs/errors#invalid_query"],
        },
        param: {
          type: ["string", "null"],
          description: "The query parameter, path segment, header or body member at fault; null when there is none.",
          examples: ["limit"],
        },
        reason: {
          type: "string",
          description: "Distinguishes failures with the same code. Absent where the code is enough.",
          examples: ["invalid_query"],
        },
        retry_at: {
          type: "string",
          format: "date-time",
          description: "When to retry, UTC: the time that `Retry-After` refers to. Absent when a retry does not help.",
          examples: ["2026-11-20T12:01:00.000Z"],
        },
        freshness: {
          type: "object",
          description: "The age of the stored response. Only with reason `freshness_ceiling_unsatisfied`.",
          required: ["max_age_s", "data_quality_status"],
          properties: {
            max_age_s: { type: "integer", description: "The requested maximum age in seconds.", examples: [60] },
            data_quality_status: {
              type: "string",
              description: "`data_quality.status` of the withheld response.",
              examples: ["fresh"],
            },
            actual_age_s: {
              type: "integer",
              description: "Age of the withheld response in seconds. Absent when unknown.",
              examples: [412],
            },
            as_of: {
              type: "string",
              format: "date-time",
              description: "`data_quality.as_of` of the withheld response, UTC. Absent when unknown.",
              examples: ["2026-11-20T11:53:08.000Z"],
            },
          },
        },
      },
    },
    meta: { ...META, description: "The same fields as on a success." },
  },
  examples: [
    {
      object: "error",
      error: {
        code: "bad_request",
        message: "limit must be an integer.",
        doc_url: "https://www.example.com/docs/errors#invalid_query",
        param: "limit",
        reason: "invalid_query",
      },
      meta: { request_id: REQUEST_ID, cached: false, cost: 1 },
    },
  ],
};

/** The success body of an operation: its data in the shared envelope. */
export function envelopeOf(operation: SingleOperation | ListOperation, components: Components): Json {
  const own = operation.meta === undefined ? null : components.schemaOf(z.object(operation.meta));
  const meta = {
    description: "Facts about the response itself.",
    ...(own === null ? META : { allOf: [META, own] }),
    examples: [{ ...sharedMetaOf(operation), ...(own === null ? {} : membersOf(own, operation, components)) }],
  };
  const topLevel: { properties?: Json; required?: string[] } =
    operation.topLevel === undefined ? {} : components.schemaOf(z.object(operation.topLevel));
  if (operation.kind === "single") {
    const object = { type: "string", const: operation.object, description: "The type of `data`." };
    const { description = "The data of the response.", ...data } = components.schemaOf(operation.data);
    return {
      type: "object",
      required: ["object", "data", ...(topLevel.required ?? []), "meta"],
      properties: { object, data: { ...data, description }, ...topLevel.properties, meta },
    };
  }
  return {
    type: "object",
    required: [
      ...["object", "data", "has_more", ...(operation.cursor?.sendsNull ? ["next_cursor"] : [])],
      ...[...(topLevel.required ?? []), "meta"],
    ],
    properties: {
      object: { type: "string", const: "list", description: "Always `list`: `data` is a page of rows." },
      data: {
        type: "array",
        items: components.schemaOf(operation.item),
        description: "The rows of this page, in the list's order.",
      },
      ...topLevel.properties,
      has_more: {
        type: "boolean",
        description: "Whether there is a next page.",
        examples: [takesCursor(operation) || operation.plainCursor !== undefined],
      },
      ...(operation.plainCursor === undefined
        ? {}
        : {
            next_cursor: {
              type: "string",
              description: operation.plainCursor.description,
              examples: [operation.plainCursor.example],
            },
          }),
      ...(operation.cursor === null
        ? {}
        : {
            next_cursor: {
              type: operation.cursor.sendsNull ? ["string", "null"] : "string",
              description: `Send it as \`cursor\` to get the next page. ${operation.cursor.sendsNull ? "Null" : "Absent"} on the last page.`,
              examples: [`${operation.cursor.prefix}eyJleGFtcGxlIjoxfQ.c2lnbmVk`],
            },
          }),
      meta,
    },
  };
}

/** The shared `meta` fields: whether the response is cached, and its cost except for a batch. */
const sharedMetaOf = (operation: SingleOperation | ListOperation): Json => ({
  request_id: REQUEST_ID,
  ...(operation.cacheSeconds > 0 ? { cached: true, cache_age_s: 1 } : { cached: false }),
  ...(operation.kind === "single" && operation.batchUnits !== undefined ? {} : { cost: operation.cost }),
});

// The example of an object schema is an object.
const membersOf = (own: Json, { id }: SingleOperation | ListOperation, components: Components): Json =>
  composeExample(own, components.schemas, `${id}.meta`) as Json;
