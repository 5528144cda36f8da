import { checkResults } from "../../../ingest/markets/results/check-results.ts";
import { UNRESOLVED_PER_RUN } from "../../../ingest/markets/results/due-results.ts";
import { defineJob } from "../../define-job.ts";

/**
 * Reads the results that are due and applies them. A run goes on while as many are due as unresolved markets fit into it. Settled
 * markets that are due for a check against reversals do not keep it: thousands are after an outage or a load.
 */
export const checkResultsJob = defineJob({
  name: "check_results",
  lane: "maintenance",
  every: 2_000,
  publishes: ["results"],
  run: async (context) => (await checkResults(context)) >= UNRESOLVED_PER_RUN,
});
