import { sql } from "drizzle-orm";
import { z } from "zod";
import { defineOperation, type Operation } from "../../../src/api/operation.ts";
import { PLAIN_OPERATION } from "./plain-operation.ts";

/**
 * Called once for each request that runs the handler, after the data has been read. The response waits until
 * it resolves.
 */
export type OnHandled = () => Promise<void> | void;

/** An operation behind a key that counts the stored traders and caches its responses. */
export function aCachedOperation(
  facts: Partial<Pick<Operation, "cacheSeconds" | "cacheTags" | "bypassCacheParam">>,
  ran: OnHandled = () => undefined,
) {
  return defineOperation({
    ...PLAIN_OPERATION,
    kind: "single",
    id: "traderCount",
    path: "/api/v1/trader-count",
    access: "key",
    conditional: true,
    object: "count",
    data: z.unknown(),
    cacheSeconds: 60,
    ...facts,
    async handle(_input, { db, principal, admission }) {
      const { rows } = await db.execute(sql`select count(*)::int as traders from traders`);
      await ran();
      return { data: { ...rows[0], told_of_caller: principal !== null || admission !== null } };
    },
  });
}
