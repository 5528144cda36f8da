import { z } from "zod";
import { ApiError } from "../../../src/api/errors.ts";
import { defineOperation, type Operation } from "../../../src/api/operation.ts";
import { numberParam } from "../../../src/api/request/query-params.ts";
import { PLAIN_OPERATION } from "./plain-operation.ts";

/**
 * Operations behind a key that produce their responses in different ways. Each calls `ran` when its handler
 * runs.
 */
export function meteredOperations(ran: (id: string) => void): Operation[] {
  const keyed = (id: string) => ({
    ...PLAIN_OPERATION,
    ...({ kind: "single", access: "key", scope: "read", plan: "pro", object: "thing", data: z.unknown() } as const),
    id,
    path: `/api/v1/${id}`,
    handle: async () => {
      ran(id);
      return { data: { of: id } };
    },
  });
  const failing = (id: string, error: Error) => {
    return defineOperation({
      ...keyed(id),
      handle: () => {
        ran(id);
        return Promise.reject(error);
      },
    });
  };
  return [
    defineOperation({ ...keyed("fresh"), query: { size: numberParam() } }),
    defineOperation({ ...keyed("cached"), conditional: true, cacheSeconds: 60 }),
    defineOperation({ ...keyed("large"), plan: "max" }),
    defineOperation({ ...keyed("numbered"), path: "/api/v1/numbered/{id}", params: { id: z.coerce.number() } }),
    defineOperation({ ...keyed("about-usage"), plan: null, cost: 0, reportsAccounting: false }),
    defineOperation({
      ...keyed("items"),
      method: "post",
      body: z.object({ items: z.array(z.string()) }),
      batchUnits: ({ items }) => items.length,
    }),
    defineOperation({ ...keyed("note"), method: "post", body: z.object({ text: z.string() }) }),
    failing("missing", new ApiError("not_found")),
    failing("broken", new Error("broken")),
  ];
}
