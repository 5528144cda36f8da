import { rebuildReports } from "../../../ingest/reports/rebuild-reports.ts";
import { defineJob } from "../../define-job.ts";

/** Rebuilds the reports that can still change. */
export const buildReportsJob = defineJob({
  name: "build_reports",
  lane: "lists",
  every: 60_000,
  startsAfterPause: true,
  heavy: true,
  publishes: ["reports"],
  firstFill: "figures",
  run: ({ pool, now }) => rebuildReports(pool, () => new Date(now())),
});
