import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e } from "../../src/db/aliases.ts";
import type { Session } from "../../src/db/client.ts";
import { comboFills } from "../../src/db/schema.ts";
import { alias, columnName, run, selectRows } from "../../src/db/sql.ts";
import type { StoredDifference } from "./figures.ts";

const f = alias(comboFills, "f");

const IS_TAKER: SQL = sql`${e.role} is not distinct from 'taker'`;

/** Rows from before the column wait for the job that fills them. They are no difference. */
const DIFFERS: SQL = sql`${f.isTaker} <> (${IS_TAKER})`;

/** The rows of combo_fills whose `is_taker` does not follow from the role of their entry. */
export async function compareComboTakers(session: Session): Promise<StoredDifference[]> {
  const rows = await selectRows(
    session,
    sql`select ${f.entryId}::text, ${f.isTaker} from ${f} join ${e} on ${e.id} = ${f.entryId}
      where ${DIFFERS} order by ${f.entryId}`,
    z.object({ entry_id: z.string(), is_taker: z.boolean() }),
  );
  return rows.map(({ entry_id, is_taker }) => ({
    table: "combo_fills" as const,
    key: `entry_id ${entry_id}`,
    field: "is_taker",
    stored: String(is_taker),
    computed: String(!is_taker),
  }));
}

/** In the caller's transaction, which holds the ledger lock. */
export async function rewriteComboTakers(session: Session): Promise<void> {
  await run(
    session,
    sql`update ${f} set ${columnName(f.isTaker)} = ${IS_TAKER} from ${e} where ${e.id} = ${f.entryId} and ${DIFFERS}`,
  );
}
