import { inTransaction } from "../../../db/client.ts";
import { FLOW_WINDOWS } from "../../../domain/markets/flow-windows.ts";
import { buildFlows } from "../../../ingest/signals/build-flows.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Rebuilds the flows of graded traders, one list a window. */
export const buildFlowsJob = defineJob({
  name: "build_flows",
  lane: "figures",
  every: 60_000,
  startsAfterPause: true,
  publishes: ["flows"],
  commitsEvents: true,
  firstFill: "graded",
  run: finished(async ({ pool }) => {
    for (const window of FLOW_WINDOWS) await inTransaction(pool, (session) => buildFlows(session, window));
  }),
});
