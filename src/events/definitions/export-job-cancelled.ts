import { defineEvent } from "../define-event.ts";
import { EXPORT_JOB_EVENT } from "../export-job-event.ts";

export const exportJobCancelled = defineEvent({
  ...EXPORT_JOB_EVENT,
  type: "export_job_cancelled",
  spellings: ["export_job_cancelled"],
  frame: "export_job_cancelled",
  firesWhen: "An export or dataset of the account was cancelled before it finished.",
});
