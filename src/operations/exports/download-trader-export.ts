import { defineOperation } from "../../api/operation.ts";
import { linkToFile } from "../export-jobs/read-job.ts";
import { EXPORT_JOB_OPERATION, EXPORT_OPERATION, exportRef } from "./export-operation.ts";

export const downloadTraderExport = defineOperation({
  ...EXPORT_OPERATION,
  kind: "redirect",
  id: "downloadTraderExport",
  method: "get",
  path: "/api/v1/trader/{address}/export/download",
  summary: "Download an export.",
  description:
    "Returns 302 with a signed link, valid for at most one hour. Fetch the link without the API key. 400 while the job " +
    "is not ready; 410 after the file has expired.",
  query: EXPORT_JOB_OPERATION.query,
  reasons: ["bad_request", "not_found", "export_expired"],
  status: 302,
  target: {
    description: "The signed link to the file.",
    example: "https://api.example.com/files/exports/17/3f6c2f0e/file?X-Amz-Date=20261121T120000Z&X-Amz-Expires=3600",
  },
  location: async ({ params, query }, context) =>
    linkToFile(
      await exportRef(params.address, query.job_id, context),
      ({ id, format }) => `trader-export-${id}.${format}`,
      context,
    ),
});
