import { inTransaction } from "../../../db/client.ts";
import { pruneOutbox } from "../../../events/outbox/prune-outbox.ts";
import { defineJob } from "../../define-job.ts";

/** Deletes events that are past their retention. */
export const pruneOutboxJob = defineJob({
  name: "prune_outbox",
  lane: "maintenance",
  every: 60_000,
  run: ({ pool, now }) => inTransaction(pool, (session) => pruneOutbox(session, new Date(now()))),
});
