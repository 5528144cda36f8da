import { defineOperation } from "../../api/operation.ts";
import { linkToFile } from "../export-jobs/read-job.ts";
import { DATASET_JOB_OPERATION, DATASET_OPERATION, datasetRef } from "./dataset-operation.ts";

export const downloadWhaleDataset = defineOperation({
  ...DATASET_OPERATION,
  kind: "redirect",
  id: "downloadWhaleDataset",
  method: "get",
  path: "/api/v1/datasets/whale-trades/{job_id}/download",
  summary: "Download a dataset.",
  description:
    "Returns 302 with a signed link, valid for at most one hour. Fetch the link without the API key. It serves gzip " +
    "NDJSON, one trade a line, or the Parquet file if that was submitted. 400 while the job is not ready; 410 after the file has expired.",
  params: DATASET_JOB_OPERATION.params,
  reasons: ["bad_request", "not_found", "export_expired"],
  status: 302,
  target: {
    description: "The signed link to the file.",
    example: "https://api.example.com/files/exports/17/3f6c2f0e/file?X-Amz-Date=20261121T120000Z&X-Amz-Expires=3600",
  },
  location: ({ params }, context) =>
    linkToFile(datasetRef(params.job_id, context), ({ id, format }) => `whale-trades-${id}.${format}`, context),
});
