import { sql } from "drizzle-orm";
import { z } from "zod";
import { l } from "../../src/db/aliases.ts";
import type { Database } from "../../src/db/client.ts";
import { largeTrades, outboxEpoch } from "../../src/db/schema.ts";
import { columnName, selectRow } from "../../src/db/sql.ts";
import { OperatorError } from "./arguments.ts";

/**
 * Begins a new epoch of the outbox. This is required after a restore or a failover that lost transactions,
 * before any write: earlier cursors are then refused, and no event gets an id that another event had. The
 * epoch's number is the clock in seconds, because two restores of one backup both find the backup's number in
 * use.
 *
 * A logical restore restarts the transaction numbers, so earlier large trades would sort after all new ones.
 * They get commit number 1 and sort before them, in the order of their ids. That is their commit order,
 * because all of them are recorded under one lock.
 */
export async function beginEpoch(db: Database, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const { epoch } = outboxEpoch;
  const begun = await selectRow(
    db,
    sql`
      with begun as (
        insert into ${outboxEpoch} (${columnName(epoch)})
        select ${seconds}::int where ${seconds}::int > all (select ${epoch} from ${outboxEpoch}) returning ${epoch}
      ), put_back as (
        update ${largeTrades} set ${columnName(largeTrades.commitXid)} = '1' where exists (select from begun)
          and exists (select from ${l} where ${l.commitXid} >= pg_snapshot_xmax(pg_current_snapshot()))
      )
      select epoch from begun`,
    z.object({ epoch: z.number() }),
  );
  if (begun === null)
    throw new OperatorError("The current epoch began in this second or is ahead of this clock. Nothing has changed.");
  return `Epoch ${seconds} of the events has begun. Earlier cursors are refused with cursor_expired.`;
}
