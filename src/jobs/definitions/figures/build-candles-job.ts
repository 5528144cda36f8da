import { buildOutcomeDays } from "../../../ingest/signals/build-outcome-days.ts";
import { defineJob } from "../../define-job.ts";

/** Extends the daily prices by the ledger's new entries. */
export const buildCandlesJob = defineJob({
  name: "build_candles",
  lane: "figures",
  every: 30_000,
  startsAfterPause: true,
  publishes: ["candles"],
  firstFill: "figures",
  run: ({ pool }) => buildOutcomeDays(pool),
});
