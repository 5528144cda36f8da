import { inTransaction } from "../../../db/client.ts";
import { buildExplore } from "../../../ingest/read-models/explore/build-explore.ts";
import { defineJob } from "../../define-job.ts";

/**
 * Updates the exploration list by what has changed. It is not heavy: triggers note changes, and these would
 * pile up.
 */
export const buildExploreJob = defineJob({
  name: "build_explore",
  lane: "lists",
  every: 60_000,
  startsAfterPause: true,
  publishes: ["explore"],
  firstFill: "figures",
  run: async ({ pool }) => (await inTransaction(pool, (session) => buildExplore(session))) === "more",
});
