import { z } from "zod";
import { ERRORS } from "../../src/api/errors.ts";
import { takesCursor, type ListOperation, type SingleOperation } from "../../src/api/operation.ts";
import { composeExample } from "./compose-example.ts";
import type { Components, Json } from "./components.ts";

const REQUEST_ID = "req_5f1c0b9a7d3e4c2180aa64fd";
const META = { $ref: "#/components/schemas/ResponseMeta" };

export const ResponseMeta: Json = {
  type: "object",
  description: "What is said of the answer itself. It is no part of the ETag.",
  required: ["request_id", "cached"],
  properties: {
    request_id: {
      type: "string",
      pattern: "^req_",
      description: "Names this request; the same as the `X-Request-Id` header. Quote it when you report a problem.",
      examples: [REQUEST_ID],
    },
    cached: {
      type: "boolean",
      description: "Whether the answer was made for an earlier request with the same path and query.",
      examples: [true],
    },
    cache_age_s: { type: "integer", description: "Whole seconds since it was made. Left out when `cached` is false.", examples: [3] },
    cost: {
      type: "integer",
      description: "What the request took from the month's quota. Left out on a batch, which has `request_cost`.",
      examples: [1],
    },
  },
};

export const ErrorEnvelope: Json = {
  type: "object",
  description: "The one shape of every failure, whatever the status.",
  required: ["object", "error", "meta"],
  properties: {
    object: { type: "string", const: "error", description: "Tells a failure from an answer." },
    error: {
      type: "object",
      description: "What went wrong.",
      required: ["code", "message", "param"],
      properties: {
        code: {
          type: "string",
          enum: [...new Set(Object.values(ERRORS).map((row) => row.code))],
          description: "The kind of failure, to branch on. It never changes for a cause.",
          examples: ["bad_request"],
        },
        message: {
          type: "string",
          description: "The same for people, in English. Its wording may change.",
          examples: ["limit must be an integer."],
        },
        doc_url: {
          type: "string",
          format: "uri",
          description: "Where this failure is explained.",
          examples: ["https://www.example.com/docs/errors#invalid_query"],
        },
        param: {
          type: ["string", "null"],
          description: "The query name, path segment, header or body member at fault; null when none is.",
          examples: ["limit"],
        },
        reason: {
          type: "string",
          description: "Tells apart failures of one code. Left out where the code says it all.",
          examples: ["invalid_query"],
        },
        retry_at: {
          type: "string",
          format: "date-time",
          description: "When to ask again, UTC: the instant behind `Retry-After`. Left out where asking again does not help.",
          examples: ["2026-11-20T12:01:00.000Z"],
        },
        freshness: {
          type: "object",
          description: "How old the stored answer is. Only with reason `freshness_ceiling_unsatisfied`.",
          required: ["max_age_s", "data_quality_status"],
          properties: {
            max_age_s: { type: "integer", description: "The ceiling that was asked for, in seconds.", examples: [60] },
            data_quality_status: {
              type: "string",
              description: "`data_quality.status` of the answer that was withheld.",
              examples: ["fresh"],
            },
            actual_age_s: { type: "integer", description: "Its age in seconds. Left out when it is not known.", examples: [412] },
            as_of: {
              type: "string",
              format: "date-time",
              description: "Its `data_quality.as_of`, UTC. Left out when it is not known.",
              examples: ["2026-11-20T11:53:08.000Z"],
            },
          },
        },
      },
    },
    meta: { ...META, description: "As on a success." },
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

/** The body of an operation's success: its data in the envelope that all share. */
export function envelopeOf(operation: SingleOperation | ListOperation, components: Components): Json {
  const own = operation.meta === undefined ? null : components.schemaOf(z.object(operation.meta));
  const meta = {
    description: "What is said of the answer itself.",
    ...(own === null ? META : { allOf: [META, own] }),
    examples: [{ ...sharedMetaOf(operation), ...(own === null ? {} : membersOf(own, operation, components)) }],
  };
  const beside: { properties?: Json; required?: string[] } =
    operation.topLevel === undefined ? {} : components.schemaOf(z.object(operation.topLevel));
  if (operation.kind === "single") {
    const object = { type: "string", const: operation.object, description: "What `data` is." };
    const { description = "The answer.", ...data } = components.schemaOf(operation.data);
    return {
      type: "object",
      required: ["object", "data", ...(beside.required ?? []), "meta"],
      properties: { object, data: { ...data, description }, ...beside.properties, meta },
    };
  }
  return {
    type: "object",
    required: ["object", "data", "has_more", ...(beside.required ?? []), "meta"],
    properties: {
      object: { type: "string", const: "list", description: "Says that `data` is a page of rows." },
      data: { type: "array", items: components.schemaOf(operation.item), description: "The rows of this page, in the list's order." },
      ...beside.properties,
      has_more: {
        type: "boolean",
        description: "Whether there is a further page.",
        examples: [takesCursor(operation)],
      },
      ...(operation.cursor === null
        ? {}
        : {
            next_cursor: {
              type: "string",
              description: "Send it as `cursor` for the next page. There is none on the last one.",
              examples: [`${operation.cursor.prefix}eyJleGFtcGxlIjoxfQ.c2lnbmVk`],
            },
          }),
      meta,
    },
  };
}

/** What the kernel says of an answer: whether it was made before, and what it cost where it is no batch. */
const sharedMetaOf = (operation: SingleOperation | ListOperation): Json => ({
  request_id: REQUEST_ID,
  ...(operation.cacheSeconds > 0 ? { cached: true, cache_age_s: 1 } : { cached: false }),
  ...(operation.kind === "single" && operation.batchUnits !== undefined ? {} : { cost: operation.cost }),
});

// The example of an object is one.
const membersOf = (own: Json, { id }: SingleOperation | ListOperation, components: Components): Json =>
  composeExample(own, components.schemas, `${id}.meta`) as Json;
