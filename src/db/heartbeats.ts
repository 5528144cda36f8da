import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { HeartbeatName } from "../domain/jobs.ts";
import type { Database } from "./client.ts";

/** Some jobs have a session open, some send single statements over HTTP. */
type Connection = Database | Pick<Pool, "query">;

const dialect = new PgDialect();

export async function beat(connection: Connection, job: HeartbeatName): Promise<void> {
  await run(
    connection,
    sql`insert into job_heartbeats (job, succeeded_at) values (${job}, now())
      on conflict (job) do update set succeeded_at = excluded.succeeded_at, last_error = null`,
  );
}

/** @param message what went wrong, for an operator; never shown to clients */
export async function recordFailure(connection: Connection, job: HeartbeatName, message: string): Promise<void> {
  // A failed statement is told before the reason of its failure.
  const reason = message.slice(-500);
  await run(
    connection,
    sql`insert into job_heartbeats (job, failed_at, last_error) values (${job}, now(), ${reason})
      on conflict (job) do update set failed_at = excluded.failed_at, last_error = excluded.last_error`,
  );
}

async function run(connection: Connection, statement: SQL): Promise<void> {
  if ("execute" in connection) {
    await connection.execute(statement);
    return;
  }
  const { sql: text, params } = dialect.sqlToQuery(statement);
  await connection.query(text, params);
}
