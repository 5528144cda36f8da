import { defineEvent } from "../define-event.ts";
import { EXPORT_JOB_EVENT } from "../export-job-event.ts";

export const exportJobExpired = defineEvent({
  ...EXPORT_JOB_EVENT,
  type: "export_job_expired",
  spellings: ["export_job_expired"],
  frame: "export_job_expired",
  firesWhen: "A finished export or dataset of the account has expired and was deleted.",
});
