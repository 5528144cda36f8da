import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { integer, selectRow } from "../../db/sql.ts";
import { COMBOS_READ_AT } from "./combo-coverage.ts";
import { c, f } from "./combo-rows.ts";

const Row = z.object({ is_known: z.boolean(), pending: integer, unknown: integer });

const countTraded = (status: SQL): SQL =>
  sql`(select count(*) from ${c} where ${c.status} = ${status}
    and exists (select from ${f} where ${f.marketId} = ${c.marketId}))`;

/**
 * Counts the combos with a fill that are still open, and those of which it is not known.
 *
 * @returns null before combos have been read for the first time
 */
export async function countLiveCombos(db: Database): Promise<{ pending: number; unknown: number } | null> {
  const row = await selectRow(
    db,
    // The statuses are literals, so that the partial index applies.
    sql`select ${COMBOS_READ_AT} is not null as is_known, ${countTraded(sql`'pending'`)} as pending,
      ${countTraded(sql`'unknown'`)} as unknown`,
    Row,
  );
  return row === null || !row.is_known ? null : { pending: row.pending, unknown: row.unknown };
}
