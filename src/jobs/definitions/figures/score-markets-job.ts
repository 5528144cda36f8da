import { listMarketsToScore } from "../../../ingest/skill/markets-to-score.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueWork } from "../../enqueue-work.ts";

/** Enqueues the settled markets whose bets are to be scored. */
export const scoreMarketsJob = defineJob({
  name: "score_markets",
  lane: "figures",
  every: 5_000,
  run: finished(async (context) => enqueueWork(await listMarketsToScore(context.pool), context)),
});
