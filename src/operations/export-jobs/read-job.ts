import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import { visibleState } from "../../domain/exports/export-job.ts";
import { cancelExportJob, findExportJob, type ExportJobRow, type JobRef } from "../../queries/exports/export-jobs.ts";
import { readyFile } from "./present-job.ts";
import { enqueueJob } from "./submit-job.ts";

/** The same error for a missing job, another account's and another kind's: it does not reveal which ids exist. */
const jobNotFound = () => new ApiError("not_found", { param: "job_id", message: "This account has no such job." });

/** @throws ApiError not_found */
export async function getJob(ref: JobRef, { db, now }: OperationContext): Promise<ExportJobRow> {
  const job = await findExportJob(db, ref, now);
  if (job === null) throw jobNotFound();
  return job;
}

/** Cancels a job that has not ended. @throws ApiError not_found */
export async function cancelJob(ref: JobRef, context: OperationContext): Promise<ExportJobRow> {
  const job = await cancelExportJob(context.db, ref, context.now);
  if (job === null) throw jobNotFound();
  if (job.state === "cancel_requested") await enqueueJob(job.id, context);
  return job;
}

/**
 * A link to the file of a ready job.
 *
 * @throws ApiError not_found; bad_request before the job is ready, and for one that failed or was cancelled;
 *   export_expired afterwards
 */
export async function linkToFile(
  ref: JobRef,
  fileNameOf: (job: ExportJobRow) => string,
  context: OperationContext,
): Promise<string> {
  const job = await getJob(ref, context);
  const file = readyFile(job, context.now);
  if (file !== null)
    return context.exports.createLink(
      { key: file.key, fileName: fileNameOf(job), expiresAt: job.expires_at },
      context.now,
    );
  const status = visibleState({ state: job.state, expiresAt: job.expires_at }, context.now);
  if (status === "expired") throw new ApiError("export_expired", { param: "job_id" });
  throw new ApiError("bad_request", { param: "job_id", message: `The job has no file: its status is ${status}.` });
}
