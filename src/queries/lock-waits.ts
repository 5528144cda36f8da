import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { integer, selectRow } from "../db/sql.ts";

const LockWaits = z.object({ sessions: integer, longest_ms: z.number() });

/** The sessions that wait for a lock now, and how long the first of them has waited; 0 when none waits. */
export async function readLockWaits(db: Database): Promise<z.output<typeof LockWaits>> {
  const row = await selectRow(
    db,
    sql`select count(*) as sessions,
       coalesce(max(extract(epoch from clock_timestamp() - waitstart)), 0)::float8 * 1000 as longest_ms
     from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
    LockWaits,
  );
  if (row === null) throw new Error("the statement of lock waits returned no row");
  return row;
}
