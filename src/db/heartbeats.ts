import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Connection } from "./client.ts";
import { jobHeartbeats } from "./schema.ts";
import { columnName, columnNames, excluded, run, selectRow, selectRows, setEach } from "./sql.ts";

export async function recordHeartbeat(connection: Connection, job: string): Promise<void> {
  const { succeededAt, lastError } = jobHeartbeats;
  await run(
    connection,
    sql`insert into ${jobHeartbeats} (${columnNames(jobHeartbeats.job, succeededAt)}) values (${job}, now())
      on conflict (${columnName(jobHeartbeats.job)}) do update set ${setEach([succeededAt], excluded)},
        ${columnName(lastError)} = null`,
  );
}

/** @param message the error, for operators; never shown to clients */
export async function recordJobFailure(connection: Connection, job: string, message: string): Promise<void> {
  // The message starts with the failed statement and ends with the cause, so the end is kept.
  const reason = message.slice(-500);
  const { failedAt, lastError } = jobHeartbeats;
  await run(
    connection,
    sql`insert into ${jobHeartbeats} (${columnNames(jobHeartbeats.job, failedAt, lastError)})
      values (${job}, now(), ${reason})
      on conflict (${columnName(jobHeartbeats.job)}) do update set ${setEach([failedAt, lastError], excluded)}`,
  );
}

/** The database's clock, by which heartbeats are stored. */
export async function readClock(connection: Connection): Promise<string> {
  const row = await selectRow(connection, sql`select now()::text as now`, z.object({ now: z.string() }));
  if (row === null) throw new Error("the database returned no time");
  return row.now;
}

/** The jobs that have succeeded since a time of that clock. */
export async function listSucceededSince(connection: Connection, since: string): Promise<ReadonlySet<string>> {
  const { job, succeededAt } = jobHeartbeats;
  const rows = await selectRows(
    connection,
    sql`select ${job} from ${jobHeartbeats} where ${succeededAt} >= ${since}::timestamptz`,
    z.object({ job: z.string() }),
  );
  return new Set(rows.map((row) => row.job));
}
