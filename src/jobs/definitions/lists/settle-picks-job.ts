import { settlePicks } from "../../../ingest/picks/settle-picks.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Records the outcomes of published picks and opens their commitments. */
export const settlePicksJob = defineJob({
  name: "settle_picks",
  lane: "lists",
  every: 30_000,
  startsAfterPause: true,
  firstFill: "graded",
  run: finished(({ pool, sealing, now }) => settlePicks(pool, sealing, () => new Date(now()))),
});
