import { captureCloses } from "../../../ingest/picks/capture-closes.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Stores the last prices of published picks before their kickoffs. */
export const recordPickClosesJob = defineJob({
  name: "record_pick_closes",
  lane: "lists",
  every: 15_000,
  startsAfterPause: true,
  run: finished(({ pool, now }) => captureCloses(pool, new Date(now()))),
});
