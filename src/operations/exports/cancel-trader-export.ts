import { defineOperation } from "../../api/operation.ts";
import { cancelJob } from "../export-jobs/read-job.ts";
import { EXPORT_JOB_OPERATION, exportRef } from "./export-operation.ts";
import { presentExport } from "./present-export.ts";

export const cancelTraderExport = defineOperation({
  ...EXPORT_JOB_OPERATION,
  id: "cancelTraderExport",
  method: "post",
  path: "/api/v1/trader/{address}/export/cancel",
  summary: "Cancel an export.",
  description:
    "A queued job is cancelled at once. A running one becomes cancel_requested and is cancelled within seconds. A job " +
    "that has ended stays as it is, so repeating the request is safe.",
  async handle({ params, query }, context) {
    const job = await cancelJob(await exportRef(params.address, query.job_id, context), context);
    return { data: presentExport(job, context.now) };
  },
});
