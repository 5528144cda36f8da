import {
  nextAction,
  pollAfterSeconds,
  isTerminal,
  visibleState,
  type ExportFormat,
} from "../../domain/exports/export-job.ts";
import { CONTENT_ENCODINGS, CONTENT_TYPES } from "../../domain/exports/file-formats.ts";
import type { ExportJobRow, JobResult } from "../../queries/exports/export-jobs.ts";

const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;

const LATE = "The file was not finished within 24 hours. Submit the request again.";

/** The fields that jobs of both kinds share, as their owner sees them now. */
export function presentJob(job: ExportJobRow, now: Date) {
  const status = visibleState({ state: job.state, expiresAt: job.expires_at }, now);
  const pollAfter = pollAfterSeconds(status);
  /** A change that the sweep has not recorded yet happened at the expiry. */
  const at = (state: typeof status, recorded: Date | null) =>
    text(status === state ? (recorded ?? job.expires_at) : recorded);
  return {
    job_id: job.id,
    status,
    total_trades: job.total_trades,
    processed_trades: job.processed_trades,
    file_size: job.file_size,
    // While a job is not final, the error is that of an attempt, and internal.
    error: status === "failed" ? (job.state === "failed" ? job.error : LATE) : null,
    terminal: isTerminal(status),
    next_action: nextAction(status),
    ...(pollAfter === null ? {} : { poll_after_s: pollAfter }),
    created_at: job.created_at.toISOString(),
    started_at: text(job.started_at),
    ready_at: text(job.ready_at),
    failed_at: at("failed", job.failed_at),
    expires_at: job.expires_at.toISOString(),
    expired_at: at("expired", job.expired_at),
    data_as_of: text(job.data_as_of),
    cancel_requested_at: text(job.cancel_requested_at),
    cancelled_at: at("cancelled", job.cancelled_at),
    attempt: Math.min(job.attempt, job.max_attempts),
    max_attempts: job.max_attempts,
  };
}

type ReadyFile = NonNullable<ReturnType<typeof readyFile>>;

/** The file of a ready job, and the snapshot that it has; null in any other status. */
export function readyFile(job: ExportJobRow, now: Date) {
  const { result, generation_id: id, data_as_of: selectedAt, horizon_xid: horizonXid, epoch, object_key: key } = job;
  if (visibleState({ state: job.state, expiresAt: job.expires_at }, now) !== "ready") return null;
  if (result === null || id === null || selectedAt === null || key === null || horizonXid === null || epoch === null)
    throw new Error(`job ${job.id} is ready without a file`);
  return { result, generationId: id, selectedAt, horizonXid, epoch, key };
}

/** The fields of the file of a ready job that both kinds share. */
export const presentArtifact = <F extends ExportFormat>({ result, generationId }: ReadyFile, format: F) => ({
  artifact_id: `art_${generationId}`,
  etag: result.etag,
  compressed_size_bytes: result.compressed_size_bytes,
  content_type: CONTENT_TYPES[format],
  content_encoding: CONTENT_ENCODINGS[format],
  ...presentProof(result),
});

/** The signed manifest of a file, or why it has none. */
const presentProof = ({ proof }: JobResult) => ({
  proof: proof ?? null,
  proof_unavailable_reason:
    proof === null ? ("no_signing_key" as const) : proof === undefined ? ("earlier_release" as const) : null,
});
