import { sql } from "drizzle-orm";
import { z } from "zod";
import { exportJob as job } from "../../db/aliases.ts";
import type { Connection } from "../../db/client.ts";
import { endJobs } from "../../db/fragments/end-export-job.ts";
import { columnName, integer, selectRow, timestamp } from "../../db/sql.ts";
import type { TerminalState } from "../../domain/exports/export-job.ts";

export interface JobEnd {
  readonly jobId: number;
  /** The consumer that ends it; null for the sweep, which ends jobs without a living consumer. */
  readonly token: string | null;
  readonly state: TerminalState;
  readonly now: Date;
  /** For the owner; never contains internals. Only of a failed job. */
  readonly error?: string;
  /** Only of a ready job. */
  readonly artifact?: {
    readonly objectKey: string;
    readonly fileSize: number;
    readonly rows: number;
    readonly result: unknown;
  };
}

/**
 * Moves a job to a terminal state and publishes its event. Ending it again changes nothing.
 *
 * @returns false when the job is not in a state from which it may reach this one, or has another consumer
 */
export async function endJob(connection: Connection, end: JobEnd): Promise<boolean> {
  const { jobId, token, state, now, error, artifact } = end;
  const isOwn =
    token === null
      ? sql`coalesce(${job.leaseUntil} <= ${timestamp(now)}, true)`
      : sql`${job.leaseToken} = ${token}::uuid`;
  const ended = await selectRow(
    connection,
    sql`with ${endJobs({
      state,
      now,
      where: sql`${job.id} = ${jobId} and ${isOwn}`,
      ...(error === undefined ? {} : { error }),
      ...(artifact === undefined ? {} : { set: artifactColumns(artifact) }),
    })} select ended.id from ended`,
    z.object({ id: integer }),
  );
  return ended !== null;
}

const artifactColumns = ({ objectKey, fileSize, rows, result }: NonNullable<JobEnd["artifact"]>) =>
  sql`${columnName(job.objectKey)} = ${objectKey}, ${columnName(job.fileSize)} = ${fileSize},
    ${columnName(job.processedTrades)} = ${rows}, ${columnName(job.totalTrades)} = ${rows},
    ${columnName(job.result)} = ${JSON.stringify(result)}::jsonb`;
