import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { e } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { comboFills } from "../../db/schema.ts";
import { alias, columnName, run } from "../../db/sql.ts";

const FILLS_AT_ONCE = 5_000;

const f = alias(comboFills, "f");
const due = alias(comboFills, "due");

/**
 * Gives rows of combo_fills from before the column their `is_taker`. A row that a concurrent change of its entry's role
 * has locked is left to that change, whose trigger sets it.
 *
 * @returns whether more rows may be left
 */
export async function fillTakers(pool: Pool): Promise<boolean> {
  const filled = await run(
    sessionOf(pool),
    sql`update ${f} set ${columnName(f.isTaker)} = ${e.role} is not distinct from 'taker'
     from (select ${due.entryId} from ${due} where ${due.isTaker} is null order by ${due.entryId}
       limit ${FILLS_AT_ONCE} for update skip locked) due
     join ${e} on ${e.id} = due.entry_id where ${f.entryId} = due.entry_id`,
  );
  return filled === FILLS_AT_ONCE;
}
