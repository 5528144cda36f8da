import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import type { Heartbeat } from "../domain/background-jobs.ts";

const Row = z.object({
  epoch: z.number().int().nullable(),
  heartbeats: z.array(z.object({ job: z.string(), ms: z.number().nullable() })),
});

/** The job heartbeats and the outbox epoch in force (null: the outbox has none and nothing can be delivered from it). */
export async function readHealth(db: Database): Promise<{ epoch: number | null; heartbeats: Heartbeat[] }> {
  const { rows } = await db.execute(sql`
    select (select max(epoch) from outbox_epoch) as epoch,
      coalesce((select jsonb_agg(jsonb_build_object('job', job, 'ms', extract(epoch from succeeded_at) * 1000)) from job_heartbeats), '[]')
        as heartbeats`);
  const { epoch, heartbeats } = Row.parse(rows[0]);
  return { epoch, heartbeats: heartbeats.map(({ job, ms }) => ({ job, succeededAtMs: ms })) };
}
