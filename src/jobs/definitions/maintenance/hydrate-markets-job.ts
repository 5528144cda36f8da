import { claimUnhydratedMarkets } from "../../../ingest/queue/list-due-work.ts";
import { defineJob } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Enqueues the markets that trades name and that have not been read. */
export const hydrateMarketsJob = defineJob({
  name: "hydrate_markets",
  lane: "maintenance",
  every: 2_000,
  run: (context) => enqueueIfRoom("hydrate_markets", claimUnhydratedMarkets, context),
});
