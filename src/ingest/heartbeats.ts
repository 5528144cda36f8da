import type { Pool } from "@neondatabase/serverless";
import type { JobName } from "../domain/jobs.ts";

export async function beat(pool: Pool, job: JobName): Promise<void> {
  await pool.query(
    `insert into job_heartbeats (job, succeeded_at) values ($1, now())
     on conflict (job) do update set succeeded_at = excluded.succeeded_at, last_error = null`,
    [job],
  );
}

/** @param message what went wrong, for an operator; never shown to clients */
export async function recordFailure(pool: Pool, job: JobName, message: string): Promise<void> {
  await pool.query(
    `insert into job_heartbeats (job, failed_at, last_error) values ($1, now(), $2)
     on conflict (job) do update set failed_at = excluded.failed_at, last_error = excluded.last_error`,
    [job, message.slice(0, 500)],
  );
}
