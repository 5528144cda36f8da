import { walkTrades } from "../../../ingest/feeds/walk-trades.ts";
import { defineJob } from "../../define-job.ts";

/** Reads the takers' rows of the trade feed: the only ones that say who took the order. */
export const readTakerTradesJob = defineJob({
  name: "read_taker_trades",
  lane: "feed",
  every: "feed_poll",
  publishes: ["large_trades"],
  commitsEvents: true,
  run: (context) =>
    walkTrades(context.pool, context.provider, "takers", {
      ...context,
      pollWithin: (ms) => context.scheduleWithin("read_taker_trades", ms),
    }),
});
