import { valuePositions } from "../../../ingest/ledger/value-positions.ts";
import { defineJob } from "../../define-job.ts";

/** Values open positions at the current prices, for the lists that are ordered by value. */
export const valuePositionsJob = defineJob({
  name: "value_positions",
  lane: "figures",
  every: 5_000,
  startsAfterPause: true,
  firstFill: "figures",
  run: ({ pool }) => valuePositions(pool),
});
