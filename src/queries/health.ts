import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { events, jobHeartbeats, outboxEpoch, outboxReaders } from "../db/schema.ts";
import { isSchemaCurrent } from "../db/schema-version.ts";
import { epochMs, selectRow } from "../db/sql.ts";
import { WEBHOOK_READER } from "../events/outbox/outbox-reader.ts";
import type { StoredHealth } from "../domain/service-health.ts";

const Row = z.object({
  epoch: z.number().int().nullable(),
  pending_ms: z.number().nullable(),
  is_schema_current: z.boolean(),
  heartbeats: z.array(z.object({ job: z.string(), ms: z.number().nullable() })),
});

/**
 * Reads the job heartbeats and the state of the outbox. All events after the webhook reader's position count
 * as not enqueued, including those held back by an open transaction. Without a position in the current epoch,
 * every event of that epoch counts.
 */
export async function readHealth(db: Database): Promise<StoredHealth> {
  const row = await selectRow(
    db,
    sql`with newest as (select max(${outboxEpoch.epoch}) as epoch from ${outboxEpoch}), reader as (
        select newest.epoch, coalesce(${outboxReaders.commitXid}, '0'::xid8) as commit_xid,
          coalesce(${outboxReaders.eventId}, 0) as event_id
        from newest left join ${outboxReaders} on ${outboxReaders.name} = ${WEBHOOK_READER}
          and ${outboxReaders.epoch} = newest.epoch
      )
      select reader.epoch, ${isSchemaCurrent} as is_schema_current,
        (select ${epochMs(events.createdAt)} from ${events}
          where ${events.epoch} = reader.epoch
            and (${events.commitXid}, ${events.id}) > (reader.commit_xid, reader.event_id)
          order by ${events.commitXid}, ${events.id} limit 1) as pending_ms,
        coalesce((select jsonb_agg(jsonb_build_object('job', ${jobHeartbeats.job},
          'ms', extract(epoch from ${jobHeartbeats.succeededAt}) * 1000)) from ${jobHeartbeats}), '[]') as heartbeats
      from reader`,
    Row,
  );
  if (row === null) throw new Error("the health statement returned no row");
  return {
    epoch: row.epoch,
    pendingSinceMs: row.pending_ms,
    isSchemaCurrent: row.is_schema_current,
    heartbeats: row.heartbeats.map(({ job, ms }) => ({ job, succeededAtMs: ms })),
  };
}
