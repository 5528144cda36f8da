import { inTransaction } from "../../../db/client.ts";
import { buildEdgeSnapshot, refreshPreGameSnapshot } from "../../../ingest/edge/build-edge-snapshot.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Rebuilds the snapshots of sports markets in which graded traders hold one side: of live games and before kickoff. */
export const buildEdgeJob = defineJob({
  name: "build_edge",
  lane: "lists",
  every: 15_000,
  startsAfterPause: true,
  firstFill: "graded",
  run: finished(async ({ pool }) => {
    await inTransaction(pool, (session) => buildEdgeSnapshot(session, "in_play"));
    await inTransaction(pool, refreshPreGameSnapshot);
  }),
});
