import type { Pool } from "@neondatabase/serverless";
import { inSnapshot, sessionOf, type Database } from "../db/client.ts";
import { backoff } from "../lib/backoff.ts";
import { decideWork, MAX_CONTENT_BYTES, MAX_SNAPSHOT_MS, RENEW_MS } from "../domain/exports/export-job.ts";
import type { ArtifactMetadata, ArtifactStore } from "../platform/artifacts/artifact-store.ts";
import { describeError } from "../platform/log/console-log.ts";
import type { Log } from "../platform/log/log.ts";
import { PART_BYTES, ArtifactWriter, digestOf, isAsWritten, type ArtifactDigest } from "./artifact/artifact-writer.ts";
import { deleteJobObjects, fileKey, tailKey } from "./artifact/object-keys.ts";
import type { ArtifactProgress } from "./artifact/progress.ts";
import { endJob } from "./jobs/end-job.ts";
import type { ClaimedJob } from "./jobs/export-job-row.ts";
import {
  CancelRequested,
  claimJob,
  dropProgress,
  LeaseLost,
  releaseLease,
  renewLease,
  storeProgress,
  storeSnapshot,
  type Lease,
  type Snapshot,
} from "./jobs/lease.ts";
import { DatasetSource, selectDatasetSnapshot, StoredFilters } from "./sources/dataset-source.ts";
import { JobRefused, SnapshotLost, type Source } from "./sources/source.ts";
import { CONTENT_TYPES } from "./sources/trader-export-formats.ts";
import { selectTraderSnapshot, TraderExportSource } from "./sources/trader-export-source.ts";

/**
 * One run writes at most this many rows and runs at most this long of its 15 minutes; then it hands the job on. The
 * rows take about 4 of the 30 CPU seconds of a consumer (measured in Node).
 */
export interface RunLimits {
  readonly rows: number;
  readonly ms: number;
  /** Rows of one statement: 2,000 are about 0.7 MB of text. */
  readonly pageRows: number;
  readonly partBytes: number;
}

export const RUN_LIMITS: RunLimits = { rows: 200_000, ms: 240_000, pageRows: 2_000, partBytes: PART_BYTES };

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 600_000;
/** A completed upload whose answer was lost is usually visible after this time. */
const RECONCILE_MS = 60_000;

export interface ExportPorts {
  /** For the job's row. It works while the pool's session is in a long transaction. */
  readonly db: Database;
  readonly pool: Pool;
  readonly store: ArtifactStore;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  readonly limits?: RunLimits;
}

/** `again`: the job has more work at this time. */
export type RunOutcome = { readonly kind: "done" } | { readonly kind: "again"; readonly dueAt: Date };

const DONE: RunOutcome = { kind: "done" };

/**
 * Works on one job until its file is ready, the budget of this run is spent, or it fails. Everything that a later
 * consumer needs is in the job's row and in the object store, so a kill at any point loses at most the last part.
 */
export async function runExportJob(jobId: number, ports: ExportPorts): Promise<RunOutcome> {
  const lease: Lease = { jobId, token: ports.newId() };
  const job = await claimJob(ports.db, lease, ports.now());
  if (job === null) return DONE;
  try {
    return await work(job, lease, ports);
  } catch (error) {
    return settle(error, job, lease, ports);
  }
}

async function work(job: ClaimedJob, lease: Lease, ports: ExportPorts): Promise<RunOutcome> {
  switch (
    decideWork(
      { state: job.state, expiresAt: job.expires_at, attempt: job.attempt, maxAttempts: job.max_attempts },
      ports.now(),
    )
  ) {
    case "cancel":
      throw new CancelRequested(`job ${job.id} is cancelled`);
    case "fail_late":
      throw new JobRefused("The file was not finished within 24 hours. Submit the request again.");
    case "fail_attempts":
      throw new JobRefused("The file could not be written. Submit the request again.");
    case "extract":
      return extract(job, lease, ports);
  }
}

/** What follows an error. A job whose lease is lost is left to its new consumer. */
async function settle(thrown: unknown, job: ClaimedJob, lease: Lease, ports: ExportPorts): Promise<RunOutcome> {
  const { db, store, now, log } = ports;
  if (thrown instanceof LeaseLost) return DONE;
  if (thrown instanceof CancelRequested || thrown instanceof JobRefused) {
    const end =
      thrown instanceof CancelRequested
        ? { state: "cancelled" as const }
        : { state: "failed" as const, error: thrown.message };
    await endJob(db, { jobId: job.id, token: lease.token, now: now(), ...end });
    // What remains is deleted by the sweep.
    await abortUpload(job, store);
    await deleteJobObjects(store, job.id, []).catch(() => undefined);
    return DONE;
  }
  // The last attempt writes the file again from the start: the stored upload itself may be what fails.
  if (job.attempt === job.max_attempts - 1 && !(thrown instanceof CompletionUnknown)) {
    await dropProgress(db, lease);
    await abortUpload(job, store);
  }
  log.warn("export.run_failed", { job_id: job.id, attempt: job.attempt, error: describeError(thrown) });
  const reconciles = thrown instanceof CompletionUnknown;
  const pauseMs = reconciles ? RECONCILE_MS : backoff(job.attempt, FIRST_RETRY_MS, MAX_RETRY_MS);
  const dueAt = new Date(now().getTime() + pauseMs);
  await releaseLease(db, lease, {
    state: reconciles ? "reconcile_required" : "running",
    error: thrown instanceof Error ? thrown.name : "Error",
    dueAt,
  });
  return { kind: "again", dueAt };
}

/** Deletes the parts that an earlier consumer stored. The store itself deletes abandoned uploads within a week. */
async function abortUpload({ progress, object_key: key }: ClaimedJob, store: ArtifactStore): Promise<void> {
  if (key === null || progress === null || progress.uploadId === null) return;
  const upload = store.resumeUpload(key, progress.uploadId);
  await upload.abort().catch(() => undefined);
}

/** The store did not answer whether the upload is complete. */
class CompletionUnknown extends Error {
  override name = "CompletionUnknown";
}

async function extract(job: ClaimedJob, lease: Lease, ports: ExportPorts): Promise<RunOutcome> {
  const finish = await (job.kind === "whale_dataset" ? extractDataset : extractTrader)(job, lease, ports);
  return finish();
}

/** What is left to do once the snapshot is not read any more. */
type Finish = () => Promise<RunOutcome>;

async function extractDataset(job: ClaimedJob, lease: Lease, ports: ExportPorts): Promise<Finish> {
  const { pool, limits = RUN_LIMITS } = ports;
  const filters = StoredFilters.parse(job.request);
  const stored = storedSnapshot(job);
  const snapshot = stored ?? (await selectSnapshot(filters, lease, ports));
  const source = new DatasetSource(sessionOf(pool), filters, snapshot, limits.pageRows);
  const progress = stored === null ? null : job.progress;
  try {
    return await writeFile(
      job,
      { source, snapshot, progress, metadata: NDJSON, isResumable: true, facts: {} },
      lease,
      ports,
    );
  } catch (error) {
    if (!(error instanceof SnapshotLost)) throw error;
    // Another snapshot, and so another file. The owner has not seen the old one.
    await selectSnapshot(filters, lease, ports);
    throw error;
  }
}

/** Writes an export within one transaction. After a kill it is written again from a new snapshot. */
async function extractTrader(job: ClaimedJob, lease: Lease, ports: ExportPorts): Promise<Finish> {
  const { pool, db, newId, limits = RUN_LIMITS } = ports;
  const { trader_id: traderId, format } = job;
  if (traderId === null) throw new Error(`the export ${job.id} has no trader`);
  return inSnapshot(pool, async (session) => {
    const { snapshot, head } = await selectTraderSnapshot(session, traderId, newId);
    await storeSnapshot(db, lease, snapshot);
    const source = new TraderExportSource(session, traderId, head, format, limits.pageRows);
    const metadata = { contentType: CONTENT_TYPES[format], contentEncoding: "gzip" };
    const facts = { trade_coverage: head.completeness.status, first_activity_date: head.firstDay };
    return writeFile(job, { source, snapshot, progress: null, metadata, isResumable: false, facts }, lease, ports);
  });
}

const NDJSON: ArtifactMetadata = { contentType: "application/x-ndjson", contentEncoding: "gzip" };

async function selectSnapshot(
  filters: StoredFilters,
  lease: Lease,
  { pool, db, newId }: ExportPorts,
): Promise<Snapshot> {
  const snapshot = await selectDatasetSnapshot(pool, filters, newId);
  await storeSnapshot(db, lease, snapshot);
  return snapshot;
}

function storedSnapshot(job: ClaimedJob): Snapshot | null {
  const {
    generation_id: generationId,
    data_as_of: selectedAt,
    epoch,
    horizon_xid: horizonXid,
    total_trades: total,
  } = job;
  if (generationId === null || selectedAt === null || epoch === null || horizonXid === null) return null;
  return { generationId, selectedAt, epoch, horizonXid, totalTrades: total ?? 0 };
}

interface FileToWrite {
  readonly source: Source;
  readonly snapshot: Snapshot;
  /** Where an earlier consumer stopped; null to write from the start. */
  readonly progress: ArtifactProgress | null;
  readonly metadata: ArtifactMetadata;
  /** Whether another consumer can continue from the same snapshot. */
  readonly isResumable: boolean;
  /** What the job's result says beside sizes and hashes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

async function writeFile(job: ClaimedJob, file: FileToWrite, lease: Lease, ports: ExportPorts): Promise<Finish> {
  const { store, db, now, limits = RUN_LIMITS } = ports;
  const { source, progress, metadata, isResumable } = file;
  const key = (progress === null ? null : job.object_key) ?? fileKey(job.id, lease.token);
  if (progress?.isComplete === true) return () => finishUpload(job, file, { key, progress }, lease, ports);
  const writer =
    progress === null
      ? ArtifactWriter.open(store, key, metadata, limits.partBytes)
      : await ArtifactWriter.resume(store, key, metadata, limits.partBytes, progress);
  const startedAt = now().getTime();
  const from = progress?.rows ?? 0;
  let rows = from;
  let position: unknown = progress?.position ?? null;
  let renewedAt = startedAt;
  const renewWhenDue = async () => {
    if (now().getTime() - renewedAt < RENEW_MS) return;
    renewedAt = now().getTime();
    await renewLease(db, lease, rows, now());
  };
  const save = async () => {
    const saved = await writer.checkpoint(tailKey(job.id, lease.token, rows), position, rows);
    await storeProgress(db, lease, saved, { objectKey: key, now: now() });
    renewedAt = now().getTime();
  };
  try {
    for (let isLast = false; !isLast;) {
      const page = await source.readPage(position);
      const hasStoredParts = page.text === "" ? false : await writer.add(new TextEncoder().encode(page.text));
      rows += page.rows;
      ({ position, isLast } = page);
      if (writer.digest().contentSizeBytes > MAX_CONTENT_BYTES)
        throw new JobRefused("The file would be larger than 2 GiB. Submit a smaller request.");
      if (isLast) break;
      const isSpent = rows - from >= limits.rows || now().getTime() - startedAt >= limits.ms;
      if (!isResumable) {
        if (now().getTime() - startedAt >= MAX_SNAPSHOT_MS)
          throw new JobRefused("The trades could not be read within ten minutes.");
        await renewWhenDue();
        continue;
      }
      if (hasStoredParts || isSpent) await save();
      else await renewWhenDue();
      if (isSpent) {
        await releaseLease(db, lease, { state: "running", error: null, dueAt: now() });
        return async () => ({ kind: "again", dueAt: now() });
      }
    }
  } catch (error) {
    const isOver = error instanceof CancelRequested || error instanceof JobRefused;
    // The store deletes what this does not within a week.
    if (!isResumable || isOver) await writer.abandon().catch(() => undefined);
    throw error;
  }
  const ended = await writer.end(position, rows);
  if (ended.kind === "parts") {
    if (isResumable) await storeProgress(db, lease, ended.progress, { objectKey: key, now: now() });
    return () => finishUpload(job, file, { key, progress: ended.progress }, lease, ports);
  }
  const digest = writer.digest();
  return async () => {
    await renewLease(db, lease, rows, now());
    await store.put(key, ended.bytes, metadata);
    return publishFile(job, file, { key, digest, rows }, lease, ports);
  };
}

/** Completes an upload whose parts are all stored. An earlier consumer may have completed it without an answer. */
async function finishUpload(
  job: ClaimedJob,
  file: FileToWrite,
  { key, progress }: { key: string; progress: ArtifactProgress },
  lease: Lease,
  ports: ExportPorts,
): Promise<RunOutcome> {
  const { store } = ports;
  if (progress.uploadId === null) throw new Error(`the upload of ${key} has no id`);
  const { uploadId, parts } = progress;
  const stored = await store.head(key);
  if (stored === null) {
    try {
      await store.resumeUpload(key, uploadId).complete(parts);
    } catch (cause) {
      if (file.isResumable && job.progress?.isComplete !== true)
        throw new CompletionUnknown(`the upload of ${key} has no answer`, { cause });
      // It was not completed and cannot be completed, so the file is written again.
      await dropProgress(ports.db, lease);
      throw cause;
    }
  }
  return publishFile(job, file, { key, digest: digestOf(progress), rows: progress.rows }, lease, ports);
}

/** Reads the stored file again, and makes the job ready only when it is byte for byte what was written. */
async function publishFile(
  job: ClaimedJob,
  { snapshot, facts }: FileToWrite,
  { key, digest, rows }: { key: string; digest: ArtifactDigest; rows: number },
  lease: Lease,
  { store, db, now }: ExportPorts,
): Promise<RunOutcome> {
  let renewedAt = now().getTime();
  const stored = await store.head(key);
  const isIntact =
    stored !== null &&
    (await isAsWritten(store, stored, digest, async () => {
      if (now().getTime() - renewedAt < RENEW_MS) return;
      renewedAt = now().getTime();
      await renewLease(db, lease, rows, now());
    }));
  if (!isIntact || rows !== snapshot.totalTrades) {
    await dropProgress(db, lease);
    throw new Error(`the stored file ${key} is not what was written: ${rows} of ${snapshot.totalTrades} rows`);
  }
  const isReady = await endJob(db, {
    jobId: job.id,
    token: lease.token,
    state: "ready",
    now: now(),
    artifact: {
      objectKey: key,
      fileSize: digest.contentSizeBytes,
      rows,
      result: {
        ...facts,
        etag: stored.etag,
        row_count: rows,
        content_size_bytes: digest.contentSizeBytes,
        content_sha256: digest.contentSha256,
        compressed_size_bytes: digest.compressedSizeBytes,
        compressed_sha256: digest.compressedSha256,
        extraction_elapsed_ms: Math.max(0, now().getTime() - snapshot.selectedAt.getTime()),
      },
    },
  });
  // The tails are not needed any more; what remains is deleted by the sweep.
  if (isReady) await deleteJobObjects(store, job.id, [key]).catch(() => undefined);
  return DONE;
}
