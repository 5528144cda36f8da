import { sql } from "drizzle-orm";
import { z } from "zod";
import { ApiError, ERRORS, type Reason } from "../../../src/api/errors.ts";
import { defineOperation, type Operation } from "../../../src/api/operation.ts";
import { limitParam } from "../../../src/api/request/query-params.ts";
import { PLAIN_OPERATION } from "./plain-operation.ts";

const SINGLE = { ...PLAIN_OPERATION, kind: "single", object: "box", data: z.unknown() } as const;
const KEYED = { ...SINGLE, access: "key", scope: "read", plan: "pro" } as const;

const AnyReason = z.custom<Reason>((text) => typeof text === "string" && text in ERRORS);
/** Duration of a slow request; its deadline is shorter. */
export const SLOW_MS = 40_000;

const neverSettles = () => new Promise<never>(() => undefined);

/** A list whose cursors hold a number or, as in an older release, a string. */
export const shelf = (position: z.ZodType): Operation =>
  defineOperation({
    ...PLAIN_OPERATION,
    kind: "list",
    id: "listShelf",
    path: "/api/v1/shelf",
    query: { limit: limitParam({ default: 20, max: 100 }) },
    item: z.unknown(),
    cursor: { prefix: "sh_", position },
    handle: async () => ({ data: [], next: position instanceof z.ZodString ? "a" : 1 }),
  });

/** Together these operations can fail in every way of the error catalogue. */
export const FAULTY: readonly Operation[] = [
  shelf(z.number()),
  defineOperation({
    ...SINGLE,
    id: "getBox",
    path: "/api/v1/box/{id}",
    params: { id: z.coerce.number().int() },
    handle: async ({ params }) => {
      throw new ApiError("not_found", { param: "id", message: `There is no box ${params.id}.` });
    },
  }),
  defineOperation({
    ...KEYED,
    id: "getLarge",
    path: "/api/v1/large",
    plan: "max",
    handle: async () => ({ data: null }),
  }),
  defineOperation({
    ...KEYED,
    id: "createBoxes",
    method: "post",
    path: "/api/v1/boxes",
    body: z.object({ boxes: z.array(z.string()).max(100), slow: z.boolean().optional() }),
    batchUnits: ({ boxes }) => boxes.length,
    idempotent: true,
    successStatus: 201,
    handle: async ({ body }) => {
      if (body.slow) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return { data: body.boxes };
    },
  }),
  ...(["get", "post"] as const).map((method) =>
    defineOperation({ ...SINGLE, id: `${method}Endless`, method, path: "/api/v1/endless", handle: neverSettles }),
  ),
  defineOperation({
    ...SINGLE,
    id: "getBroken",
    path: "/api/v1/broken",
    handle: () => Promise.reject(new Error("postgres://admin:hunter2@db.internal")),
  }),
  defineOperation({
    ...SINGLE,
    id: "getCutOff",
    path: "/api/v1/cut-off",
    handle: async (_input, { db }) => {
      await db.execute(sql.raw("do $$ begin raise exception 'hunter2' using errcode = '57P01'; end $$"));
      return { data: null };
    },
  }),
  defineOperation({
    ...SINGLE,
    id: "getRefusal",
    path: "/api/v1/refusal/{reason}",
    params: { reason: AnyReason },
    handle: async ({ params }) => {
      throw new ApiError(params.reason);
    },
  }),
];
