import { sweepExportJobs } from "../../../exports/sweep-export-jobs.ts";
import { defineJob } from "../../define-job.ts";

/** Ends export jobs that are past their time, takes over those of dead consumers, and deletes orphaned files. */
export const sweepExportsJob = defineJob({
  name: "sweep_exports",
  lane: "maintenance",
  every: 30_000,
  commitsEvents: true,
  run: ({ pool, exports, now }) => sweepExportJobs({ pool, ...exports, now: new Date(now()) }),
});
