import { inTransaction } from "../../../db/client.ts";
import { buildLeaderboard } from "../../../ingest/read-models/build-leaderboard.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Rebuilds the leaderboard. */
export const buildLeaderboardJob = defineJob({
  name: "build_leaderboard",
  lane: "lists",
  every: 60_000,
  startsAfterPause: true,
  publishes: ["leaderboard"],
  firstFill: "graded",
  run: finished(({ pool }) => inTransaction(pool, buildLeaderboard)),
});
