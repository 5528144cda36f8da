import { buildRecord, RECORD_EVERY_MS } from "../../../ingest/record/build-record.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Scores the published claims of each kind against random purchases, by month. */
export const buildRecordJob = defineJob({
  name: "build_record",
  lane: "lists",
  every: RECORD_EVERY_MS,
  startsAfterPause: true,
  heavy: true,
  publishes: ["record"],
  firstFill: "graded",
  run: finished(({ pool, now }) => buildRecord(pool, new Date(now()))),
});
