import type { Pool } from "@neondatabase/serverless";
import { inSnapshot, sessionOf, type Database } from "../db/client.ts";
import { backoff } from "../lib/timing/backoff.ts";
import {
  CONTENT_ENCODINGS,
  CONTENT_TYPES,
  DATASET_SCHEMA_VERSION,
  EXPORT_SCHEMA_VERSIONS,
} from "../domain/exports/file-formats.ts";
import { formatId } from "../domain/ids.ts";
import type { FileManifest } from "../domain/proofs/file-manifest.ts";
import {
  decideWork,
  MAX_CONTENT_BYTES,
  MAX_SNAPSHOT_MS,
  RENEW_MS,
  type ExportFormat,
} from "../domain/exports/export-job.ts";
import type { ArtifactMetadata, ArtifactStore } from "../platform/artifacts/artifact-store.ts";
import { describeError } from "../platform/log/console-log.ts";
import type { Log } from "../platform/log/log.ts";
import { PART_BYTES, ArtifactWriter, digestOf, isAsWritten, type ArtifactDigest } from "./artifact/artifact-writer.ts";
import { FileContent, merkleRootOf } from "./artifact/file-content.ts";
import { ndjson, openParquetEncoder, textEncoder, type FileEncoder } from "./artifact/file-encoder.ts";
import { deleteJobObjects, fileKey, tailKey } from "./artifact/object-keys.ts";
import type { ArtifactProgress } from "./artifact/progress.ts";
import { signFile, type FileFacts } from "./artifact/sign-file.ts";
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
import { DATASET_COLUMNS, DatasetSource, selectDatasetSnapshot, StoredFilters } from "./sources/dataset-source.ts";
import { pagesAhead } from "./sources/pages-ahead.ts";
import { JobRefused, SnapshotLost, type Source } from "./sources/source.ts";
import { EXPORT_COLUMNS, exportMetadata, textFormatOf } from "./sources/trader-export-formats.ts";
import { selectTraderSnapshot, TraderExportSource } from "./sources/trader-export-source.ts";

/**
 * One run writes at most this many rows and runs at most this long of its 15 minutes; then it hands the job on. The
 * rows take about 6 of the 30 CPU seconds of a consumer (measured in Node).
 */
export interface RunLimits {
  readonly rows: number;
  readonly ms: number;
  /** Rows of one statement: 2,000 are about 0.7 MB of text. */
  readonly pageRows: number;
  readonly partBytes: number;
}

export const RUN_LIMITS: RunLimits = { rows: 200_000, ms: 240_000, pageRows: 2_000, partBytes: PART_BYTES };

/** A row group of Parquet is one page. It has 8,000 rows: smaller ones compress badly and take many pages to read. */
const PAGES_PER_ROW_GROUP = 4;

const rowsPerPage = ({ pageRows }: RunLimits, format: ExportFormat): number =>
  format === "parquet" ? pageRows * PAGES_PER_ROW_GROUP : pageRows;

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
  /** Signs the manifests of files: Ed25519, PKCS #8 in DER as base64url. Without it files have no proof, and say so. */
  readonly signingKey: string | null;
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
    const isEnded = await endJob(db, { jobId: job.id, token: lease.token, now: now(), ...end });
    // Another consumer may have made the job ready meanwhile. What remains is deleted by the sweep.
    if (isEnded) await deleteJobObjects(store, job.id, []).catch(() => undefined);
    return DONE;
  }
  // The last attempt writes the file again from the start: the stored upload itself may be what fails.
  if (job.attempt === job.max_attempts - 1 && !(thrown instanceof CompletionUnknown)) await dropProgress(db, lease);
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
  const { format } = job;
  const source = new DatasetSource(sessionOf(pool), filters, snapshot, rowsPerPage(limits, format));
  const progress = stored === null ? null : job.progress;
  try {
    return await writeFile(
      job,
      {
        ...{ source, snapshot, progress, isResumable: true, facts: {} },
        metadata: metadataOf(format),
        encoder:
          format === "parquet"
            ? await openParquetEncoder(
                DATASET_COLUMNS,
                { schema_version: DATASET_SCHEMA_VERSION },
                progress?.parquet ?? null,
              )
            : textEncoder(ndjson(DATASET_COLUMNS)),
        schemaVersion: DATASET_SCHEMA_VERSION,
        selection: { kind: "whale_dataset", ...filters },
      },
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
    const file: FileToWrite = {
      ...{ snapshot, progress: null, isResumable: false },
      source: new TraderExportSource(session, traderId, rowsPerPage(limits, format)),
      metadata: metadataOf(format),
      encoder:
        format === "parquet"
          ? await openParquetEncoder(EXPORT_COLUMNS, exportMetadata(head), null)
          : textEncoder(textFormatOf(format, head)),
      schemaVersion: EXPORT_SCHEMA_VERSIONS[format],
      selection: { kind: "trader_export", trader_id: formatId("trader", head.trader.id), address: head.trader.address },
      facts: { trade_coverage: head.completeness.status, first_activity_date: head.firstDay },
    };
    return writeFile(job, file, lease, ports);
  });
}

const metadataOf = (format: ExportFormat): ArtifactMetadata => ({
  contentType: CONTENT_TYPES[format],
  contentEncoding: CONTENT_ENCODINGS[format],
});

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
  // They are stored together.
  if (generationId === null || selectedAt === null || epoch === null || horizonXid === null || total === null)
    return null;
  return { generationId, selectedAt, epoch, horizonXid, totalTrades: total };
}

interface FileToWrite {
  readonly source: Source;
  readonly snapshot: Snapshot;
  /** Where an earlier consumer stopped; null to write from the start. */
  readonly progress: ArtifactProgress | null;
  readonly metadata: ArtifactMetadata;
  readonly encoder: FileEncoder;
  readonly schemaVersion: string;
  readonly selection: FileManifest["selection"];
  /** Whether another consumer can continue from the same snapshot. */
  readonly isResumable: boolean;
  /** What the job's result says beside sizes and hashes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

async function writeFile(job: ClaimedJob, file: FileToWrite, lease: Lease, ports: ExportPorts): Promise<Finish> {
  const { store, db, now, limits = RUN_LIMITS } = ports;
  const { source, progress, metadata, encoder, isResumable } = file;
  const key = (progress === null ? null : job.object_key) ?? fileKey(job.id, lease.token);
  if (progress?.isComplete === true) return () => finishUpload(job, file, { key, progress }, lease, ports);
  const writer =
    progress === null
      ? ArtifactWriter.open(store, key, metadata, limits.partBytes)
      : await ArtifactWriter.resume(store, key, metadata, limits.partBytes, progress);
  const startedAt = now().getTime();
  const from = progress?.rows ?? 0;
  const content = new FileContent(encoder, progress);
  let renewedAt = startedAt;
  const renewWhenDue = async () => {
    if (now().getTime() - renewedAt < RENEW_MS) return;
    renewedAt = now().getTime();
    await renewLease(db, lease, content.rows, now());
  };
  const save = async () => {
    const saved = await writer.checkpoint(tailKey(job.id, lease.token, content.rows), content.progress);
    await storeProgress(db, lease, saved, { objectKey: key, now: now() });
    renewedAt = now().getTime();
  };
  try {
    for await (const page of pagesAhead(source, content.position)) {
      const bytes = content.add(page);
      const hasStoredParts = bytes.length === 0 ? false : await writer.add(bytes);
      if (writer.digest().contentSizeBytes > MAX_CONTENT_BYTES)
        throw new JobRefused("The file would be larger than 2 GiB. Submit a smaller request.");
      if (page.isLast) break;
      const isSpent = content.rows - from >= limits.rows || now().getTime() - startedAt >= limits.ms;
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
    // What remains is deleted when the job ends.
    if (!isResumable || isOver) await writer.abandon().catch(() => undefined);
    throw error;
  }
  const ended = await writer.end(content.progress);
  if (ended.kind === "parts") {
    if (isResumable) await storeProgress(db, lease, ended.progress, { objectKey: key, now: now() });
    return () => finishUpload(job, file, { key, progress: ended.progress }, lease, ports);
  }
  const written = { key, digest: writer.digest(), rows: content.rows, merkleRoot: merkleRootOf(content.progress) };
  return async () => {
    await renewLease(db, lease, content.rows, now());
    await store.put(key, ended.bytes, metadata);
    return publishFile(job, file, written, lease, ports);
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
  const written = { key, digest: digestOf(progress), rows: progress.rows, merkleRoot: merkleRootOf(progress) };
  return publishFile(job, file, written, lease, ports);
}

/** Reads the stored file again, and makes the job ready only when it is byte for byte what was written. */
async function publishFile(
  job: ClaimedJob,
  { snapshot, facts, schemaVersion, selection }: FileToWrite,
  { key, digest, rows, merkleRoot }: { key: string; digest: ArtifactDigest; rows: number; merkleRoot: string },
  lease: Lease,
  { store, db, now, signingKey }: ExportPorts,
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
  const file: FileFacts = {
    row_count: rows,
    content_size_bytes: digest.contentSizeBytes,
    content_sha256: digest.contentSha256,
    compressed_size_bytes: digest.compressedSizeBytes,
    compressed_sha256: digest.compressedSha256,
    merkle_root: merkleRoot,
  };
  const proof = await signFile(signingKey, { job, schemaVersion, selection, snapshot }, file);
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
        ...file,
        etag: stored.etag,
        proof,
        extraction_elapsed_ms: Math.max(0, now().getTime() - snapshot.selectedAt.getTime()),
      },
    },
  });
  // The tails are not needed any more; what remains is deleted by the sweep.
  if (isReady) await deleteJobObjects(store, job.id, [key]).catch(() => undefined);
  return DONE;
}
