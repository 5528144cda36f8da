import { checkResults } from "../../../ingest/markets/results/check-results.ts";
import { defineJob } from "../../define-job.ts";

/** Reads the results that are due and applies them. */
export const checkResultsJob = defineJob({
  name: "check_results",
  lane: "maintenance",
  every: 2_000,
  publishes: ["results"],
  run: checkResults,
});
