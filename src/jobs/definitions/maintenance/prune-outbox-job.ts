import { inTransaction } from "../../../db/client.ts";
import { pruneOutbox } from "../../../events/outbox/prune-outbox.ts";
import { prunePendingFills } from "../../../ingest/chain/prune-pending-fills.ts";
import { defineJob } from "../../define-job.ts";

/** Deletes events, and fills of the chain that wait for their market, that are past their retention. */
export const pruneOutboxJob = defineJob({
  name: "prune_outbox",
  lane: "maintenance",
  every: 60_000,
  run: ({ pool, now }) =>
    inTransaction(pool, async (session) => {
      const at = new Date(now());
      const hasMoreFills = await prunePendingFills(session, at);
      return (await pruneOutbox(session, at)) || hasMoreFills;
    }),
});
