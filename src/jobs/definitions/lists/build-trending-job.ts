import { buildTrending } from "../../../ingest/read-models/build-trending.ts";
import { defineJob, finished } from "../../define-job.ts";

/** The provider ranks no more. */
const BOARD_ROWS = 50;

/** Rebuilds the trending lists from the provider's leaderboards, whose traders are followed from then on. */
export const buildTrendingJob = defineJob({
  name: "build_trending",
  lane: "lists",
  every: 600_000,
  publishes: ["trending"],
  firstFill: "figures",
  run: finished(async ({ pool, provider }) => {
    for (const period of ["week", "month"] as const) {
      const board = await provider.listLeaderboard(period, BOARD_ROWS);
      await buildTrending(pool, period, board);
    }
  }),
});
