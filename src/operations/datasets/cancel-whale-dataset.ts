import { defineOperation } from "../../api/operation.ts";
import { cancelJob } from "../export-jobs/read-job.ts";
import { DATASET_JOB_OPERATION, datasetRef } from "./dataset-operation.ts";
import { presentDataset } from "./present-dataset.ts";

export const cancelWhaleDataset = defineOperation({
  ...DATASET_JOB_OPERATION,
  id: "cancelWhaleDataset",
  method: "post",
  path: "/api/v1/datasets/whale-trades/{job_id}/cancel",
  summary: "Cancel a dataset.",
  description:
    "A queued job is cancelled at once. A running one becomes cancel_requested and is cancelled within seconds. A job " +
    "that has ended stays as it is, so repeating the request is safe.",
  async handle({ params }, context) {
    return { data: await presentDataset(await cancelJob(datasetRef(params.job_id, context), context), context) };
  },
});
