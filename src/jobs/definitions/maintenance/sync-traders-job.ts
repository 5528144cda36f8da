import { listDueTraders } from "../../../ingest/queue/list-due-work.ts";
import { defineJob } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Enqueues the followed traders whose activity is due to be read. */
export const syncTradersJob = defineJob({
  name: "sync_traders",
  lane: "maintenance",
  every: 2_000,
  run: (context) => enqueueIfRoom("sync_trader", listDueTraders, context),
});
