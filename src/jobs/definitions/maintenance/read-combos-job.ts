import { listDueCombos } from "../../../ingest/combos/due-combos.ts";
import { defineJob } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Enqueues the traders whose combos are due to be read. */
export const readCombosJob = defineJob({
  name: "read_combos",
  lane: "maintenance",
  every: 5_000,
  run: (context) => enqueueIfRoom("read_combos", listDueCombos, context),
});
