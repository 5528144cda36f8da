import { defineEvent } from "../define-event.ts";
import { EXPORT_JOB_EVENT } from "../export-job-event.ts";

export const exportJobFailed = defineEvent({
  ...EXPORT_JOB_EVENT,
  type: "export_job_failed",
  spellings: ["export_job_failed"],
  frame: "export_job_failed",
  firesWhen: "An export or dataset of the account has failed and must be submitted again.",
});
