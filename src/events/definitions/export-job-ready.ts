import { defineEvent } from "../define-event.ts";
import { EXPORT_JOB_EVENT } from "../export-job-event.ts";

export const exportJobReady = defineEvent({
  ...EXPORT_JOB_EVENT,
  type: "export_job_ready",
  spellings: ["export_job_ready"],
  frame: "export_job_ready",
  firesWhen: "An export or dataset of the account can be downloaded with the download operation.",
});
