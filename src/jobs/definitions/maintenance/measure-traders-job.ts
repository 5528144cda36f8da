import { claimDueFigures } from "../../../ingest/provider-figures/due-figures.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Enqueues the traders whose figures are to be compared with the provider's own. */
export const measureTradersJob = defineJob({
  name: "measure_traders",
  lane: "maintenance",
  every: 15_000,
  startsAfterPause: true,
  heavy: true,
  firstFill: "figures",
  run: finished((context) =>
    enqueueIfRoom("measure_traders", (pool, most) => claimDueFigures(pool, new Date(context.now()), most), context),
  ),
});
