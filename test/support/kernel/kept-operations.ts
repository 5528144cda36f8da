import { sql } from "drizzle-orm";
import { z } from "zod";
import { defineOperation, type Operation } from "../../../src/api/operation.ts";
import { PLAIN } from "./plain.ts";

/** Has run once for each request that it was not spared. Resolves when the answer may be given, after the data has been read. */
export type Ran = () => Promise<void> | void;

/** An operation behind a key that counts the traders there are and keeps its answers. */
export function anOperationThatKeeps(
  facts: Partial<Pick<Operation, "cacheSeconds" | "restsOn" | "notCachedWith">>,
  ran: Ran = () => undefined,
) {
  return defineOperation({
    ...PLAIN,
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
