import { walkTrades } from "../../../ingest/feeds/walk-trades.ts";
import { defineJob } from "../../define-job.ts";
import { WALK_HEAD_START_MS } from "./walk-head-start.ts";

/**
 * Reads the takers' rows of the trade feed: the only ones that say who took the order. The rows of all parties follow, so that
 * those of the takers are recorded with their role at once.
 */
export const readTakerTradesJob = defineJob({
  name: "read_taker_trades",
  lane: "feed",
  every: "feed_poll",
  headStartMs: WALK_HEAD_START_MS,
  publishes: ["large_trades"],
  commitsEvents: true,
  run: async (context) => {
    const hasMore = await walkTrades(context.pool, context.provider, "takers", {
      ...context,
      pollWithin: (ms) => context.scheduleWithin("read_taker_trades", ms),
    });
    if (!hasMore) context.scheduleWithin("read_all_trades", 0);
    return hasMore;
  },
});
