import { sql } from "drizzle-orm";
import { z } from "zod";
import { outboxEvent } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isActive } from "../../db/fragments/webhooks.ts";
import { outboxEpoch, outboxReaders as readers, webhookEndpoints } from "../../db/schema.ts";
import { columnName, columnNames, selectRow, timestamp } from "../../db/sql.ts";
import { isReadableAfter, OutboxPosition, WEBHOOK_READER } from "../../events/outbox/outbox-reader.ts";

const PositionRow = z.object({ epoch: z.number().int(), commit_xid: z.string(), event_id: z.string() });

/**
 * The current position; before the first read it is the start of the epoch. Null while the outbox has no
 * epoch.
 */
export async function readReaderPosition(db: Database): Promise<OutboxPosition | null> {
  const row = await selectRow(
    db,
    sql`
      with begun as (
        insert into ${readers} (${columnNames(readers.name, readers.epoch, readers.commitXid, readers.eventId)})
        select ${WEBHOOK_READER}, max(${outboxEpoch.epoch}), '0', 0 from ${outboxEpoch}
        having max(${outboxEpoch.epoch}) is not null
        on conflict (${columnName(readers.name)}) do nothing
        returning ${readers.epoch}, ${readers.commitXid}, ${readers.eventId}
      )
      select epoch, commit_xid::text, event_id::text from begun
      union all select ${readers.epoch}, ${readers.commitXid}::text, ${readers.eventId}::text from ${readers}
        where ${readers.name} = ${WEBHOOK_READER}`,
    PositionRow,
  );
  return row === null ? null : OutboxPosition.parse({ epoch: row.epoch, commitXid: row.commit_xid, id: row.event_id });
}

/** SQL condition: the reader's row is still at this position. */
export const isAtPosition = (position: OutboxPosition) => sql`
  ${readers.name} = ${WEBHOOK_READER} and ${readers.epoch} = ${position.epoch}
    and ${readers.commitXid} = ${position.commitXid}::xid8 and ${readers.eventId} = ${position.id}::bigint`;

/** Moves the reader to another position, from where all retained events are still to be read. */
export async function moveReaderPosition(
  db: Database,
  position: OutboxPosition,
  next: OutboxPosition,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    update ${readers}
    set ${columnName(readers.epoch)} = ${next.epoch}, ${columnName(readers.commitXid)} = ${next.commitXid}::xid8,
      ${columnName(readers.eventId)} = ${next.id}::bigint,
      ${columnName(readers.updatedAt)} = ${timestamp(now)}
    where ${isAtPosition(position)}`);
}

/**
 * Skips all events that are readable now, if no endpoint is active: an endpoint that becomes active later
 * does not get earlier events. One statement, so both conditions use the same snapshot.
 */
export async function skipUnsubscribedEvents(db: Database, position: OutboxPosition, now: Date): Promise<void> {
  await db.execute(sql`
    with last as (
      select ${outboxEvent.commitXid}, ${outboxEvent.id} from ${outboxEvent} where ${isReadableAfter(position)}
      order by ${outboxEvent.commitXid} desc, ${outboxEvent.id} desc limit 1)
    update ${readers}
    set ${columnName(readers.commitXid)} = last.commit_xid, ${columnName(readers.eventId)} = last.id,
      ${columnName(readers.updatedAt)} = ${timestamp(now)}
    from last where ${isAtPosition(position)}
      and not exists (select from ${webhookEndpoints} where ${isActive(webhookEndpoints)})`);
}
