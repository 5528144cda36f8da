import { listDueCombos } from "../../../ingest/combos/due-combos.ts";
import { fillTakers } from "../../../ingest/combos/fill-takers.ts";
import { defineJob } from "../../define-job.ts";
import { enqueueIfRoom } from "../../enqueue-work.ts";

/** Enqueues the traders whose combos are due to be read. Also fills what an older release left in combo_fills. */
export const readCombosJob = defineJob({
  name: "read_combos",
  lane: "maintenance",
  every: 5_000,
  async run(context) {
    const more = await fillTakers(context.pool);
    return (await enqueueIfRoom("read_combos", listDueCombos, context)) || more;
  },
});
