import { sessionOf } from "../../../db/client.ts";
import { markNoLongerRecent } from "../../../ingest/skill/mark-due.ts";
import { isGradingDue } from "../../../ingest/skill/grade-traders.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueWork } from "../../enqueue-work.ts";

/** Enqueues grading while any trader is due for a grade, also because its evidence is no longer recent. */
export const gradeTradersJob = defineJob({
  name: "grade_traders",
  lane: "figures",
  every: 5_000,
  run: finished(async (context) => {
    await markNoLongerRecent(sessionOf(context.pool));
    if (await isGradingDue(context.pool)) await enqueueWork([{ kind: "grade_traders" }], context);
  }),
});
