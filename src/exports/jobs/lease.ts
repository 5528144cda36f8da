import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { exportJob as job } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { columnName, run, selectRow, timestamp } from "../../db/sql.ts";
import { ACTIVE_STATES, JOB_STATES, LEASE_MS, statesBefore, type JobState } from "../../domain/exports/export-job.ts";
import type { ArtifactProgress } from "../artifact/progress.ts";
import { CLAIMED_COLUMNS, ClaimedJob } from "./export-job-row.ts";

/** Another consumer has taken the job over, or its owner has ended it. The consumer stops and changes nothing. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** The owner has cancelled the job that the consumer works on. */
export class CancelRequested extends Error {
  override name = "CancelRequested";
}

/** Who works on which job. Every statement of a consumer is conditional on it. */
export interface Lease {
  readonly jobId: number;
  readonly token: string;
}

/**
 * Claims a job that no consumer works on. An attempt is counted when the job is new, has failed or its last
 * consumer has died, and not when a consumer handed it on or an upload is only to be completed.
 *
 * @returns null when the job has ended, is due later, or has a living consumer
 */
export function claimJob(db: Database, { jobId, token }: Lease, now: Date): Promise<ClaimedJob | null> {
  return selectRow(
    db,
    sql`update ${job} set
        ${columnName(job.state)} = case when ${job.state} = 'cancel_requested' then ${job.state} else 'running' end,
        ${columnName(job.startedAt)} = ${timestamp(now)},
        ${columnName(job.attempt)} = ${job.attempt} + case when ${job.state} in ('cancel_requested', 'reconcile_required') or ${isHandedOn} then 0 else 1 end,
        ${columnName(job.leaseToken)} = ${token}::uuid,
        ${columnName(job.leaseUntil)} = ${leaseEnd(now)},
        ${columnName(job.dueAt)} = ${leaseEnd(now)}
      where ${job.id} = ${jobId} and ${inArray(job.state, [...statesBefore("running"), "cancel_requested"])}
        and coalesce(${job.leaseUntil} <= ${timestamp(now)}, true) and ${job.dueAt} <= ${timestamp(now)}
      returning ${CLAIMED_COLUMNS}`,
    ClaimedJob,
  );
}

/** A consumer that hands its job on ends its lease itself and leaves no error. */
const isHandedOn: SQL = sql`(${job.state} = 'running' and ${job.leaseToken} is null and ${job.error} is null)`;

const leaseEnd = (now: Date): SQL => timestamp(new Date(now.getTime() + LEASE_MS));

const isOwn = ({ jobId, token }: Lease): SQL =>
  sql`${job.id} = ${jobId} and ${job.leaseToken} = ${token}::uuid and ${inArray(job.state, [...ACTIVE_STATES])}`;

const StateRow = z.object({ state: z.enum(JOB_STATES) });

async function change(db: Database, lease: Lease, set: SQL): Promise<void> {
  const row = await selectRow(db, sql`update ${job} set ${set} where ${isOwn(lease)} returning ${job.state}`, StateRow);
  if (row === null) throw new LeaseLost(`job ${lease.jobId} has another consumer`);
  if (row.state === "cancel_requested") throw new CancelRequested(`job ${lease.jobId} is cancelled`);
}

/** @param processed rows read so far, as the owner sees them @throws LeaseLost, CancelRequested */
export const renewLease = (db: Database, lease: Lease, processed: number, now: Date): Promise<void> =>
  change(
    db,
    lease,
    sql`${columnName(job.processedTrades)} = ${processed}, ${columnName(job.leaseUntil)} = ${leaseEnd(now)}, ${columnName(job.dueAt)} = ${leaseEnd(now)}`,
  );

export interface Snapshot {
  readonly generationId: string;
  readonly selectedAt: Date;
  readonly epoch: number;
  /** Decimal text. All rows of the file were committed below it. */
  readonly horizonXid: string;
  readonly totalTrades: number;
}

/** Stores the snapshot of the job, and forgets what an earlier one has written. */
export const storeSnapshot = (db: Database, lease: Lease, snapshot: Snapshot): Promise<void> =>
  change(
    db,
    lease,
    sql`${columnName(job.generationId)} = ${snapshot.generationId}::uuid,
      ${columnName(job.dataAsOf)} = ${timestamp(snapshot.selectedAt)}, ${columnName(job.epoch)} = ${snapshot.epoch},
      ${columnName(job.horizonXid)} = ${snapshot.horizonXid}::xid8, ${columnName(job.totalTrades)} = ${snapshot.totalTrades},
      ${columnName(job.processedTrades)} = 0, ${columnName(job.progress)} = null, ${columnName(job.objectKey)} = null`,
  );

/** Stores where the extraction stands, and renews the lease. @throws LeaseLost, CancelRequested */
export const storeProgress = (
  db: Database,
  lease: Lease,
  progress: ArtifactProgress,
  { objectKey, now }: { objectKey: string; now: Date },
): Promise<void> =>
  change(
    db,
    lease,
    sql`${columnName(job.progress)} = ${JSON.stringify(progress)}::jsonb, ${columnName(job.objectKey)} = ${objectKey},
      ${columnName(job.processedTrades)} = ${progress.rows},
      ${columnName(job.leaseUntil)} = ${leaseEnd(now)}, ${columnName(job.dueAt)} = ${leaseEnd(now)}`,
  );

/** Drops what was written, so that the next consumer writes the file again from the same snapshot. */
export const dropProgress = (db: Database, lease: Lease): Promise<void> =>
  change(db, lease, sql`${columnName(job.progress)} = null, ${columnName(job.objectKey)} = null`);

/** Ends the lease so that another consumer continues. @param error null when the job is only handed on */
export async function releaseLease(
  db: Database,
  lease: Lease,
  {
    state,
    error,
    dueAt,
  }: { state: Extract<JobState, "running" | "reconcile_required">; error: string | null; dueAt: Date },
): Promise<void> {
  await run(
    db,
    sql`update ${job} set
        ${columnName(job.state)} = case when ${job.state} = 'cancel_requested' then ${job.state} else ${state} end,
        ${columnName(job.leaseToken)} = null, ${columnName(job.leaseUntil)} = null,
        ${columnName(job.error)} = ${error}, ${columnName(job.dueAt)} = ${timestamp(dueAt)}
      where ${isOwn(lease)}`,
  );
}
