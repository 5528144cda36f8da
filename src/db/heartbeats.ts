import { sql } from "drizzle-orm";
import type { HeartbeatName } from "../domain/jobs.ts";
import type { Database } from "./client.ts";

/** As in `src/ingest/heartbeats.ts`, for jobs that open no session. */
export async function beat(db: Database, job: HeartbeatName): Promise<void> {
  await db.execute(sql`
    insert into job_heartbeats (job, succeeded_at) values (${job}, now())
    on conflict (job) do update set succeeded_at = excluded.succeeded_at, last_error = null`);
}

/** @param message what went wrong, for an operator; never shown to clients */
export async function recordFailure(db: Database, job: HeartbeatName, message: string): Promise<void> {
  // A failed statement is told before the reason of its failure.
  const reason = message.slice(-500);
  await db.execute(sql`
    insert into job_heartbeats (job, failed_at, last_error) values (${job}, now(), ${reason})
    on conflict (job) do update set failed_at = excluded.failed_at, last_error = excluded.last_error`);
}
