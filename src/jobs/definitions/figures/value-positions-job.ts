import { valuePositions } from "../../../ingest/ledger/value-positions.ts";
import { defineJob } from "../../define-job.ts";

/**
 * Values open positions at the current prices. Results schedule a run at once; for other moves of a price the pause bounds how
 * often the positions of a busy outcome are written.
 */
export const valuePositionsJob = defineJob({
  name: "value_positions",
  lane: "figures",
  every: 10_000,
  startsAfterPause: true,
  firstFill: "figures",
  run: ({ pool }) => valuePositions(pool),
});
