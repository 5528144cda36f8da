import { claimUnlistedMarkets } from "../../../ingest/queue/list-due-work.ts";
import { walkMarkets } from "../../../ingest/markets/walk-markets.ts";
import { defineJob } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Walks the provider's open markets, and enqueues those that it no longer lists. */
export const walkMarketsJob = defineJob({
  name: "walk_markets",
  lane: "maintenance",
  every: 300_000,
  // Hundreds of pages: taking turns with all jobs of the lane, a walk took ten minutes 40 ms away from Postgres and the provider.
  headStartMs: 1_000,
  async run(context) {
    const { pool, provider, backfillDays, now } = context;
    const more = await walkMarkets(pool, provider, backfillDays === 0, () => new Date(now()));
    if (!more) await enqueueIfRoom("hydrate_markets", claimUnlistedMarkets, context);
    return more;
  },
});
