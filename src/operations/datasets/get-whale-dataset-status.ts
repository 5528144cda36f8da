import { defineOperation } from "../../api/operation.ts";
import { getJob } from "../export-jobs/read-job.ts";
import { DATASET_JOB_OPERATION, datasetRef } from "./dataset-operation.ts";
import { presentDataset } from "./present-dataset.ts";

export const getWhaleDatasetStatus = defineOperation({
  ...DATASET_JOB_OPERATION,
  id: "getWhaleDatasetStatus",
  method: "get",
  path: "/api/v1/datasets/whale-trades/{job_id}",
  summary: "Get the status of a dataset.",
  description: "An ended job can be read for 48 hours.",
  async handle({ params }, context) {
    return { data: await presentDataset(await getJob(datasetRef(params.job_id, context), context), context) };
  },
});
