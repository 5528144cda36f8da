import { defineOperation } from "../../api/operation.ts";
import { getJob } from "../export-jobs/read-job.ts";
import { EXPORT_JOB_OPERATION, exportRef } from "./export-operation.ts";
import { presentExport } from "./present-export.ts";

export const getTraderExportStatus = defineOperation({
  ...EXPORT_JOB_OPERATION,
  id: "getTraderExportStatus",
  method: "get",
  path: "/api/v1/trader/{address}/export/status",
  summary: "Get the status of an export.",
  description: "An ended job can be read for 48 hours.",
  async handle({ params, query }, context) {
    const job = await getJob(await exportRef(params.address, query.job_id, context), context);
    return { data: presentExport(job, context.now) };
  },
});
