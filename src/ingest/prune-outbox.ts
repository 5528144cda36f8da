import type { Session } from "../db/client.ts";
import { RETAINED_COUNT } from "../db/outbox.ts";

/** How long an event can be replayed. */
export const EVENT_DAYS = 7;

/** Events one transaction takes away at most. */
const BATCH = 5_000;

/**
 * Takes away events that are older than they are kept, from the front of the outbox, and remembers how far: a reader that stands before it is
 * told so. What a reader that keeps its place has not come past stays, however old it is. Events of an epoch that is over have no readers.
 *
 * @returns whether more may be old enough
 */
export async function pruneOutbox(session: Session, now: Date, batch: number = BATCH): Promise<boolean> {
  // A logical restore begins transactions' numbers anew: what an epoch before it has left may lie beyond the horizon, where nothing else is old.
  const { rows } = await session.query<{ gone: string }>(
    `with newest as (
       select epoch from outbox_epoch order by epoch desc limit 1 for update
     ), front as (
       select id, bool_and(is_old) over (order by commit_xid, id) as is_due from (
         select e.id, e.commit_xid, e.created_at < $1::timestamptz - make_interval(days => $2) as is_old from events e
         where e.commit_xid < pg_snapshot_xmin(pg_current_snapshot()) order by e.commit_xid, e.id limit $3
       ) first
     ), beyond as (
       select e.id, e.created_at < $1::timestamptz - make_interval(days => $2) as is_due from events e
       where e.commit_xid >= pg_snapshot_xmin(pg_current_snapshot()) and e.epoch < (select epoch from newest) limit $3
     ), gone as (
       delete from events e using (select * from front union all select * from beyond) f
       where e.id = f.id and f.is_due and (e.epoch < (select epoch from newest) or not exists (
         select from outbox_readers r where (r.epoch, r.commit_xid, r.event_id) < (e.epoch, e.commit_xid, e.id)
       ))
       returning e.epoch, e.commit_xid, e.id
     ), last as (
       select commit_xid, id from gone where epoch = (select epoch from newest) order by commit_xid desc, id desc limit 1
     ), noted as (
       update outbox_epoch o set pruned_xid = last.commit_xid, pruned_id = last.id from last where o.epoch = (select epoch from newest)
     )
     select count(*) as gone from gone`,
    [now.toISOString(), EVENT_DAYS, batch],
  );
  await countRetained(session);
  return Number(rows[0]?.gone) >= batch;
}

/** In the transaction that takes events away, so that what is read of both always fits. */
async function countRetained(session: Session): Promise<void> {
  await session.query(
    `insert into ingest_checkpoints (feed, state, updated_at)
     select $1, jsonb_build_object('epoch', n.epoch, 'commit_xid', pg_snapshot_xmin(pg_current_snapshot())::text, 'counted', (
       select count(*) from events e
       where e.epoch = n.epoch and e.large_trade_id is not null and e.commit_xid < pg_snapshot_xmin(pg_current_snapshot())
     )), now()
     from outbox_epoch n order by n.epoch desc limit 1
     on conflict (feed) do update set state = excluded.state, updated_at = excluded.updated_at`,
    [RETAINED_COUNT],
  );
}
