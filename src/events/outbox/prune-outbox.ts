import { sql } from "drizzle-orm";
import { z } from "zod";
import { currentEpoch, outboxEvent as e, reader } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { ingestCheckpoints, outboxEpoch } from "../../db/schema.ts";
import { columnName, columnNames, excluded, integer, run, selectRow, setEach, timestamp } from "../../db/sql.ts";
import { RETENTION_DAYS } from "../../domain/retention.ts";
import { COMMIT_HORIZON, RETAINED_COUNT_CHECKPOINT } from "./outbox-reader.ts";

/** Events that one transaction deletes at most. */
const BATCH = 5_000;

/**
 * Deletes events past their retention from the front of the outbox and stores the last deleted position, so
 * that a reader behind it detects the gap. Events that a persistent reader has not passed are kept,
 * however old they are. Events of an earlier epoch have no readers.
 *
 * @returns whether more events may be past their retention
 */
export async function pruneOutbox(session: Session, now: Date, batch: number = BATCH): Promise<boolean> {
  const retention = sql`make_interval(days => ${RETENTION_DAYS})`;
  const isOld = sql`${e.createdAt} < ${timestamp(now)} - ${retention}`;
  // A logical restore restarts the transaction ids. Events of an earlier epoch may then lie beyond the
  // snapshot horizon, where no event of the current epoch is old.
  const row = await selectRow(
    session,
    sql`with newest as (
       select ${outboxEpoch.epoch} from ${outboxEpoch} order by ${outboxEpoch.epoch} desc limit 1 for update
     ), front as (
       select id, bool_and(is_old) over (order by commit_xid, id) as is_due from (
         select ${e.id}, ${e.commitXid}, ${isOld} as is_old from ${e}
         where ${e.commitXid} < ${COMMIT_HORIZON} order by ${e.commitXid}, ${e.id} limit ${batch}
       ) first
     ), beyond as (
       select ${e.id}, ${isOld} as is_due from ${e}
       where ${e.commitXid} >= ${COMMIT_HORIZON} and ${e.epoch} < (select epoch from newest) limit ${batch}
     ), deleted as (
       delete from ${e} using (select * from front union all select * from beyond) f
       where ${e.id} = f.id and f.is_due and (${e.epoch} < (select epoch from newest) or not exists (
         select from ${reader}
         where (${reader.epoch}, ${reader.commitXid}, ${reader.eventId}) < (${e.epoch}, ${e.commitXid}, ${e.id})
       ))
       returning ${e.epoch}, ${e.commitXid}, ${e.id}
     ), last as (
       select commit_xid, id from deleted where epoch = (select epoch from newest) order by commit_xid desc, id desc
         limit 1
     ), noted as (
       update ${currentEpoch}
       set ${columnName(currentEpoch.prunedXid)} = last.commit_xid, ${columnName(currentEpoch.prunedId)} = last.id from last
       where ${currentEpoch.epoch} = (select epoch from newest)
     )
     select count(*) as deleted from deleted`,
    z.object({ deleted: integer }),
  );
  await countRetained(session);
  return row !== null && row.deleted >= batch;
}

/** Runs in the transaction that deletes events, so that readers always see a count that matches. */
async function countRetained(session: Session): Promise<void> {
  const { feed, state, updatedAt } = ingestCheckpoints;
  await run(
    session,
    sql`insert into ${ingestCheckpoints} (${columnNames(feed, state, updatedAt)})
     select ${RETAINED_COUNT_CHECKPOINT}, jsonb_build_object('epoch', ${currentEpoch.epoch},
       'commit_xid', ${COMMIT_HORIZON}::text, 'counted', (
       select count(*) from ${e}
       where ${e.epoch} = ${currentEpoch.epoch} and ${e.largeTradeId} is not null and ${e.commitXid} < ${COMMIT_HORIZON}
     )), now()
     from ${currentEpoch} order by ${currentEpoch.epoch} desc limit 1
     on conflict (${columnName(feed)}) do update set ${setEach([state, updatedAt], excluded)}`,
  );
}
