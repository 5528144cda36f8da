import { isGradingDue } from "../../../ingest/skill/grade-traders.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueWork } from "../../enqueue-work.ts";

/** Enqueues grading while any trader is due for a grade. */
export const gradeTradersJob = defineJob({
  name: "grade_traders",
  lane: "figures",
  every: 5_000,
  run: finished(async (context) => {
    if (await isGradingDue(context.pool)) await enqueueWork([{ kind: "grade_traders" }], context);
  }),
});
