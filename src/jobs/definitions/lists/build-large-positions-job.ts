import { inTransaction } from "../../../db/client.ts";
import { buildLargePositions } from "../../../ingest/read-models/build-large-positions.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Rebuilds the list of large positions. */
export const buildLargePositionsJob = defineJob({
  name: "build_large_positions",
  lane: "lists",
  every: 15_000,
  startsAfterPause: true,
  publishes: ["large_positions"],
  commitsEvents: true,
  firstFill: "graded",
  run: finished(({ pool }) => inTransaction(pool, buildLargePositions)),
});
