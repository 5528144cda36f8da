import { z } from "zod";
import type { OperationContext } from "../../context.ts";
import type { JobRef } from "../../queries/exports/export-jobs.ts";
import { requireAccount } from "../export-jobs/read-job.ts";
import { WhaleDatasetJob } from "./schemas.ts";

const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/** The path segment with the number of a job. */
const JobSegment = z
  .preprocess(
    (text) => (/^[1-9]\d*$/.test(String(text)) ? Math.min(Number(text), MAX_NUMBER) : Number.NaN),
    z.int("expected a positive integer").min(1),
  )
  .meta({
    description: "Number of the job. Any other text is 400; a job of another account or kind is 404, as a missing one.",
    format: "int64",
    example: 17,
  });

/** Settings shared by all dataset operations. */
export const DATASET_OPERATION = {
  tag: "Datasets",
  access: "key",
  scope: "export",
  plan: "pro",
  cost: 1,
  query: {},
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
} as const;

/** Settings of operations that return the job in their path. */
export const DATASET_JOB_OPERATION = {
  ...DATASET_OPERATION,
  kind: "single",
  params: { job_id: JobSegment },
  reasons: ["not_found"],
  object: "whale_dataset_job",
  data: WhaleDatasetJob,
} as const;

export const datasetRef = (jobId: number, { principal }: OperationContext): JobRef => ({
  accountId: requireAccount(principal),
  id: jobId,
  kind: "whale_dataset",
  traderId: null,
});
