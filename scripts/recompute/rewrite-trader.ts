import { sql } from "drizzle-orm";
import type { Session } from "../../src/db/client.ts";
import { array, run } from "../../src/db/sql.ts";
import { writeRealized } from "../../src/ingest/ledger/write-ledger.ts";
import { differingKeys } from "./compare-trader.ts";
import { FIGURES_TABLES, keySql, rowFields, TABLES, type TraderRows } from "./figures.ts";
import type { FoldedTrader } from "./fold-trader.ts";

/**
 * Replaces the stored figures of a trader with the recomputed ones, in the caller's transaction, which holds
 * the ledger lock.
 */
export async function rewriteTrader(
  session: Session,
  traderId: string,
  stored: TraderRows,
  { figures, changedRealized }: FoldedTrader,
): Promise<void> {
  await writeRealized(
    session,
    changedRealized.map(({ entry, realizedMicro }) => ({ id: entry.id, realizedMicro })),
  );
  for (const table of FIGURES_TABLES) {
    const keys = differingKeys(table, stored, figures);
    if (keys.length === 0) continue;
    const { table: stale, traderId: owner } = TABLES[table];
    await run(
      session,
      sql`delete from ${stale} where ${owner} = ${traderId} and ${keySql(table)} = any(${array(keys, "text")})`,
    );
    const texts = keys.flatMap((key) => figures[table].get(key) ?? []);
    const rows = texts.map((text) => ({ trader_id: traderId, ...rowFields(table, text) }));
    const recordset = sql`jsonb_populate_recordset(null::${stale}, ${JSON.stringify(rows)}::jsonb)`;
    await run(session, sql`insert into ${stale} select * from ${recordset}`);
  }
}
