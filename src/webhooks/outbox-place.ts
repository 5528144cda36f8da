import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isReadable, OutboxPosition, WEBHOOK_READER } from "../db/outbox.ts";

const Place = z.object({ epoch: z.number().int(), commit_xid: z.string(), event_id: z.string() });

/** The place in force; before the first reading it is the start of the epoch. Null while the outbox has no epoch. */
export async function readPlace(db: Database): Promise<OutboxPosition | null> {
  const { rows } = await db.execute(sql`
    with begun as (
      insert into outbox_readers (name, epoch, commit_xid, event_id)
      select ${WEBHOOK_READER}, max(epoch), '0', 0 from outbox_epoch having max(epoch) is not null
      on conflict (name) do nothing returning epoch, commit_xid, event_id
    )
    select epoch, commit_xid::text, event_id::text from begun
    union all select epoch, commit_xid::text, event_id::text from outbox_readers where name = ${WEBHOOK_READER}`);
  const [place] = z.array(Place).parse(rows);
  return place === undefined ? null : OutboxPosition.parse({ epoch: place.epoch, commitXid: place.commit_xid, id: place.event_id });
}

/** Matches the row of the place while nobody has moved it. */
export const standsAt = (place: OutboxPosition) => sql`
  outbox_readers.name = ${WEBHOOK_READER} and outbox_readers.epoch = ${place.epoch}
    and outbox_readers.commit_xid = ${place.commitXid}::xid8 and outbox_readers.event_id = ${place.id}::bigint`;

/** Goes on from another place, which is where all events that are kept are still to come. */
export async function goOnFrom(db: Database, place: OutboxPosition, next: OutboxPosition, now: Date): Promise<void> {
  await db.execute(sql`
    update outbox_readers set epoch = ${next.epoch}, commit_xid = ${next.commitXid}::xid8, event_id = ${next.id}::bigint,
      updated_at = ${now.toISOString()}::timestamptz
    where ${standsAt(place)}`);
}

/**
 * Leaves everything behind that could be read just now, provided that no endpoint is active: one that becomes active later is not told of
 * what was before. Both are judged by one snapshot.
 */
export async function skipUnheard(db: Database, place: OutboxPosition, now: Date): Promise<void> {
  await db.execute(sql`
    with last as (select e.commit_xid, e.id from events e where ${isReadable(place)} order by e.commit_xid desc, e.id desc limit 1)
    update outbox_readers set commit_xid = last.commit_xid, event_id = last.id, updated_at = ${now.toISOString()}::timestamptz
    from last where ${standsAt(place)}
      and not exists (select from webhook_endpoints where status = 'active' and deleted_at is null)`);
}
