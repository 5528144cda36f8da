import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { WEBHOOK_READER } from "../db/outbox.ts";
import type { Heartbeat } from "../domain/background-jobs.ts";

const Row = z.object({
  epoch: z.number().int().nullable(),
  untold_ms: z.number().nullable(),
  heartbeats: z.array(z.object({ job: z.string(), ms: z.number().nullable() })),
});

export interface StoredHealth {
  /** The outbox epoch in force; null: the outbox has none and nothing can be delivered from it. */
  readonly epoch: number | null;
  /** When the first event was recorded that webhooks have not been told of, Unix milliseconds; null when they have been told of all. */
  readonly untoldSinceMs: number | null;
  readonly heartbeats: readonly Heartbeat[];
}

/**
 * The job heartbeats and the state of the outbox. Events that an open transaction keeps back count as untold, like all others behind the place
 * up to which webhooks have been told. While there is no place in the epoch in force, that is every event of it.
 */
export async function readHealth(db: Database): Promise<StoredHealth> {
  const { rows } = await db.execute(sql`
    with newest as (select max(epoch) as epoch from outbox_epoch), place as (
      select newest.epoch, coalesce(r.commit_xid, '0'::xid8) as commit_xid, coalesce(r.event_id, 0) as event_id
      from newest left join outbox_readers r on r.name = ${WEBHOOK_READER} and r.epoch = newest.epoch
    )
    select place.epoch,
      (select (extract(epoch from e.created_at) * 1000)::float8 from events e
        where e.epoch = place.epoch and (e.commit_xid, e.id) > (place.commit_xid, place.event_id)
        order by e.commit_xid, e.id limit 1) as untold_ms,
      coalesce((select jsonb_agg(jsonb_build_object('job', job, 'ms', extract(epoch from succeeded_at) * 1000)) from job_heartbeats), '[]')
        as heartbeats
    from place`);
  const { epoch, untold_ms: untoldSinceMs, heartbeats } = Row.parse(rows[0]);
  return { epoch, untoldSinceMs, heartbeats: heartbeats.map(({ job, ms }) => ({ job, succeededAtMs: ms })) };
}
