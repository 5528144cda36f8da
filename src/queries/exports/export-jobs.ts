import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { exportJob as job } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { endJobs } from "../../db/fragments/end-export-job.ts";
import { exportJobs } from "../../db/schema.ts";
import { allOf, columnName, columnNames, epochMs, integer, selectRow, timestamp } from "../../db/sql.ts";
import {
  EXPORT_FORMATS,
  JOB_STATES,
  MAX_ATTEMPTS,
  READABLE_MS,
  RETENTION_MS,
  statesBefore,
  type ExportFormat,
  type JobKind,
  type JobState,
} from "../../domain/exports/export-job.ts";
import { lockAccount } from "../accounts/account.ts";

const count = z.coerce.number().int();
const instantMs = z.number().transform((ms) => new Date(ms));

/** What `export_jobs.result` has of a ready job. */
const JobResult = z.object({
  etag: z.string(),
  row_count: z.int(),
  content_size_bytes: z.int(),
  content_sha256: z.string(),
  compressed_size_bytes: z.int(),
  compressed_sha256: z.string(),
  extraction_elapsed_ms: z.int(),
  /** Absent on files of earlier releases, as is `proof`. */
  merkle_root: z.string().optional(),
  /** The signed manifest; null when no signing key was configured. */
  proof: z.object({ manifest: z.string(), signature: z.string(), public_key: z.string() }).nullable().optional(),
  /** Of exports: how far the trader's history was known, and the UTC date of its first trade. */
  trade_coverage: z.string().optional(),
  first_activity_date: z.string().nullable().optional(),
});

export type JobResult = z.output<typeof JobResult>;

const JobRow = z.object({
  id: integer,
  format: z.enum(EXPORT_FORMATS),
  request: z.unknown(),
  state: z.enum(JOB_STATES),
  created_at: instantMs,
  started_at: instantMs.nullable(),
  ready_at: instantMs.nullable(),
  failed_at: instantMs.nullable(),
  expires_at: instantMs,
  expired_at: instantMs.nullable(),
  data_as_of: instantMs.nullable(),
  cancel_requested_at: instantMs.nullable(),
  cancelled_at: instantMs.nullable(),
  attempt: z.number().int(),
  max_attempts: z.number().int(),
  generation_id: z.string().nullable(),
  epoch: z.number().int().nullable(),
  horizon_xid: z.string().nullable(),
  total_trades: count.nullable(),
  processed_trades: count.nullable(),
  file_size: count.nullable(),
  object_key: z.string().nullable(),
  result: JobResult.nullable(),
  error: z.string().nullable(),
});

/** A job as its owner may see it. */
export type ExportJobRow = z.output<typeof JobRow>;

const COLUMNS = sql`${job.id}, ${job.format}, ${job.request}, ${job.state}, ${epochMs(job.createdAt)} as created_at,
  ${epochMs(job.startedAt)} as started_at, ${epochMs(job.readyAt)} as ready_at, ${epochMs(job.failedAt)} as failed_at,
  ${epochMs(job.expiresAt)} as expires_at, ${epochMs(job.expiredAt)} as expired_at,
  ${epochMs(job.dataAsOf)} as data_as_of, ${epochMs(job.cancelRequestedAt)} as cancel_requested_at,
  ${epochMs(job.cancelledAt)} as cancelled_at, ${job.attempt}, ${job.maxAttempts}, ${job.generationId}, ${job.epoch},
  ${job.horizonXid}::text as horizon_xid, ${job.totalTrades}, ${job.processedTrades}, ${job.fileSize}, ${job.objectKey},
  ${job.result}, ${job.error}`;

export interface NewJob {
  readonly accountId: number;
  readonly kind: JobKind;
  readonly traderId: number | null;
  readonly format: ExportFormat;
  readonly request: unknown;
  /** Equal for equal requests. */
  readonly requestKey: string;
  /** A job of an equal request that is in one of these states, and not past its expiry, is returned instead. */
  readonly reusedStates: readonly JobState[];
}

/** A limit on how many jobs an account may submit in a time; jobs that ended count too. */
export interface SubmitQuota {
  readonly most: number;
  readonly windowMs: number;
  readonly of: "account" | "kind" | "trader";
}

export type SubmitResult =
  | { readonly kind: "submitted" | "reused"; readonly job: ExportJobRow }
  /** `freeAt`: when the next submit is possible. */
  | { readonly kind: "over_quota"; readonly quota: SubmitQuota; readonly freeAt: Date };

const SubmitRow = z.object({
  reused: z.number().nullable(),
  inserted: z.number().nullable(),
  free_at: z.array(z.number().nullable()),
  job: JobRow.nullable(),
});

/** Stores a job, unless an equal one can be returned or a quota is spent. Concurrent submits cannot exceed it. */
export async function submitJob(
  db: Database,
  submit: NewJob,
  quotas: readonly SubmitQuota[],
  now: Date,
): Promise<SubmitResult> {
  const { accountId, kind, traderId, format, request, requestKey, reusedStates } = submit;
  const inserted = columnNames(
    exportJobs.kind,
    exportJobs.accountId,
    exportJobs.traderId,
    exportJobs.format,
    exportJobs.request,
    exportJobs.requestKey,
    exportJobs.createdAt,
    exportJobs.expiresAt,
    exportJobs.maxAttempts,
    exportJobs.dueAt,
  );
  const [, stored] = await db.batch([
    lockAccount(db, accountId),
    db.execute(sql`
      with reused as (
        select job.* from ${job} where ${job.accountId} = ${accountId} and ${job.requestKey} = ${requestKey}
          and ${inArray(job.state, [...reusedStates])} and ${job.expiresAt} > ${timestamp(now)}
        order by ${job.id} desc limit 1
      ), quotas as (
        select array[${sql.join(
          quotas.map((quota) => freeAt(submit, quota, now)),
          sql`, `,
        )}]::float8[] as free_at
      ), inserted as (
        insert into ${exportJobs} (${inserted})
        select ${kind}, ${accountId}, ${traderId}::bigint, ${format}, ${JSON.stringify(request)}::jsonb, ${requestKey},
          ${timestamp(now)}, ${timestamp(new Date(now.getTime() + RETENTION_MS))}, ${MAX_ATTEMPTS}, ${timestamp(now)}
        from quotas where not exists (select from reused) and array_remove(quotas.free_at, null) = '{}'
        returning *
      )
      select (select id::float8 from reused) as reused, (select id::float8 from inserted) as inserted, quotas.free_at,
        (select to_jsonb(row) from (
          select ${COLUMNS} from (select * from reused union all select * from inserted) job
        ) row) as job
      from quotas`),
  ]);
  const [row] = z.tuple([SubmitRow]).parse(stored.rows);
  if (row.job !== null) return { kind: row.reused === null ? "submitted" : "reused", job: row.job };
  const spent = quotas.flatMap((quota, index) => {
    const at = row.free_at[index] ?? null;
    return at === null ? [] : [{ kind: "over_quota" as const, quota, freeAt: new Date(at) }];
  });
  const latest = spent.toSorted((a, b) => b.freeAt.getTime() - a.freeAt.getTime())[0];
  if (latest === undefined) throw new Error("a job was neither stored nor refused");
  return latest;
}

/**
 * When a spent quota admits the next job, in milliseconds; null while it admits one. That is when the oldest of
 * the newest `most` jobs leaves the window.
 */
function freeAt({ accountId, kind, traderId }: NewJob, { most, windowMs, of }: SubmitQuota, now: Date): SQL {
  const counted = allOf([
    sql`${job.accountId} = ${accountId} and ${job.createdAt} > ${timestamp(new Date(now.getTime() - windowMs))}`,
    of === "account" ? null : sql`${job.kind} = ${kind}`,
    of === "trader" ? sql`${job.traderId} = ${traderId}` : null,
  ]);
  return sql`(select ${epochMs(job.createdAt)} + ${windowMs} from ${job} where ${counted}
    order by ${job.createdAt} desc offset ${most - 1} limit 1)`;
}

/** Which job of which account. Another account's job, and another kind's, reads as unknown. */
export interface JobRef {
  readonly accountId: number;
  readonly id: number;
  readonly kind: JobKind;
  /** The trader of an export; null on datasets. */
  readonly traderId: number | null;
}

/** Ended jobs can be read for 48 hours. */
const isReadable = ({ accountId, id, kind, traderId }: JobRef, now: Date): SQL =>
  sql`${job.id} = ${id} and ${job.accountId} = ${accountId} and ${job.kind} = ${kind}
    and ${job.traderId} is not distinct from ${traderId}::bigint
    and (${job.endedAt} is null or ${job.endedAt} > ${timestamp(new Date(now.getTime() - READABLE_MS))}
      or ${job.state} = 'ready')`;

/** @returns null when the account has no such job, or when it ended more than 48 hours ago */
export const findExportJob = (db: Database, ref: JobRef, now: Date): Promise<ExportJobRow | null> =>
  selectRow(db, sql`select ${COLUMNS} from ${job} where ${isReadable(ref, now)}`, JobRow);

/**
 * Cancels a job: a queued one is cancelled at once, a running one by its consumer. Cancelling again, or a job
 * that has ended, changes nothing.
 *
 * @returns the job afterwards; null as `findExportJob`
 */
export async function cancelExportJob(db: Database, ref: JobRef, now: Date): Promise<ExportJobRow | null> {
  const isLive = sql`${isReadable(ref, now)} and ${job.expiresAt} > ${timestamp(now)}`;
  const requested = sql`${columnName(job.cancelRequestedAt)} = coalesce(${job.cancelRequestedAt}, ${timestamp(now)})`;
  await db.execute(sql`with ${endJobs({
    state: "cancelled",
    now,
    where: sql`${isLive} and ${job.state} = 'queued'`,
    set: requested,
  })}
    select id from ended`);
  await db.execute(sql`update ${job} set ${columnName(job.state)} = 'cancel_requested', ${requested},
      ${columnName(job.dueAt)} = least(${job.dueAt}, ${timestamp(now)})
    where ${isLive} and ${inArray(job.state, [...statesBefore("cancel_requested")])}`);
  return findExportJob(db, ref, now);
}
