import type { OperationContext } from "../../context.ts";
import type { JobRef } from "../../queries/exports/export-jobs.ts";
import { OWNED_RESOURCE_OPERATION, requireCaller } from "../owned-resource.ts";
import { rowNumberParam } from "../../api/request/row-number-param.ts";
import { WhaleDatasetJob } from "./schemas.ts";

const JobSegment = rowNumberParam(
  "Number of the job. Any other text is 400; a job of another account or kind is 404, as a missing one.",
  17,
);

/** Settings shared by all dataset operations. */
export const DATASET_OPERATION = {
  ...OWNED_RESOURCE_OPERATION,
  tag: "Datasets",
  scope: "export",
  query: {},
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
  accountId: requireCaller(principal).accountId,
  id: jobId,
  kind: "whale_dataset",
  traderId: null,
});
