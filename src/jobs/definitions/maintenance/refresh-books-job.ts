import { listBooksToRefresh } from "../../../ingest/queue/list-due-work.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueWork } from "../../enqueue-work.ts";

/** Enqueues the order books of the markets with the newest large trades. */
export const refreshBooksJob = defineJob({
  name: "refresh_books",
  lane: "maintenance",
  every: 15_000,
  firstFill: "figures",
  run: finished(async (context) => enqueueWork(await listBooksToRefresh(context.pool), context)),
});
