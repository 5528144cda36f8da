import { claimDueHolderScans } from "../../../ingest/holders/due-scans.ts";
import { defineJob } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Enqueues the markets whose holders are requested and not read. */
export const scanHoldersJob = defineJob({
  name: "scan_holders",
  lane: "figures",
  every: 2_000,
  startsAfterPause: true,
  firstFill: "figures",
  run: (context) => enqueueIfRoom("scan_holders", claimDueHolderScans, context),
});
