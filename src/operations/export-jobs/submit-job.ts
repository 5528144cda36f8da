import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import {
  DATASETS_PER_HOUR,
  SUBMITS_PER_DAY,
  TRADER_SUBMITS_PER_HOUR,
  type JobKind,
} from "../../domain/exports/export-job.ts";
import { describeError } from "../../platform/log/console-log.ts";
import { submitJob, type ExportJobRow, type NewJob, type SubmitQuota } from "../../queries/exports/export-jobs.ts";
import { HOUR_MS } from "../../scoring/utc-calendar.ts";

const QUOTAS: Readonly<Record<JobKind, readonly SubmitQuota[]>> = {
  whale_dataset: [
    { most: SUBMITS_PER_DAY, windowMs: 24 * HOUR_MS, of: "account" },
    { most: DATASETS_PER_HOUR, windowMs: HOUR_MS, of: "kind" },
  ],
  trader_export: [
    { most: SUBMITS_PER_DAY, windowMs: 24 * HOUR_MS, of: "account" },
    { most: TRADER_SUBMITS_PER_HOUR, windowMs: HOUR_MS, of: "trader" },
  ],
};

const UNIT = { account: "files a day", kind: "datasets an hour", trader: "exports of one trader an hour" } as const;

/**
 * Submits a job and wakes a consumer. A message that is lost delays the job until the next sweep.
 *
 * @throws ApiError rate_limited when a quota is spent
 */
export async function submitAndEnqueue(
  job: NewJob,
  context: OperationContext,
): Promise<{ readonly job: ExportJobRow; readonly isReused: boolean }> {
  const submitted = await submitJob(context.db, job, QUOTAS[job.kind], context.now);
  if (submitted.kind === "over_quota")
    throw new ApiError("rate_limited", {
      message: `This account has submitted ${submitted.quota.most} ${UNIT[submitted.quota.of]}.`,
      retryAt: submitted.freeAt,
    });
  if (submitted.kind === "submitted") await enqueueJob(submitted.job.id, context);
  return { job: submitted.job, isReused: submitted.kind === "reused" };
}

/** Wakes a consumer for a job. A failure is logged and not thrown: the next sweep finds the job. */
export async function enqueueJob(jobId: number, { exports, log, requestId }: OperationContext): Promise<void> {
  await exports.enqueue({ job_id: jobId, request_id: requestId }).catch((error: unknown) => {
    log.warn("export.enqueue_failed", { request_id: requestId, job_id: jobId, error: describeError(error) });
  });
}
