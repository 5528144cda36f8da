import { walkTrades } from "../../../ingest/feeds/walk-trades.ts";
import { defineJob } from "../../define-job.ts";
import { WALK_HEAD_START_MS } from "./walk-head-start.ts";

/** Reads the rows of all parties of the trade feed. A busy feed begins with the takers' rows. */
export const readAllTradesJob = defineJob({
  name: "read_all_trades",
  lane: "feed",
  every: "feed_poll",
  headStartMs: WALK_HEAD_START_MS,
  publishes: ["large_trades"],
  commitsEvents: true,
  run: (context) =>
    walkTrades(context.pool, context.provider, "all", {
      ...context,
      pollWithin: (ms) => context.scheduleWithin("read_taker_trades", ms),
    }),
});
