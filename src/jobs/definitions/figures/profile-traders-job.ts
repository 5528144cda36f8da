import { listDueProfiles } from "../../../ingest/profiles/due-profiles.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueWork } from "../../enqueue-work.ts";

/** Enqueues the traders whose profile is due. */
export const profileTradersJob = defineJob({
  name: "profile_traders",
  lane: "figures",
  every: 15_000,
  startsAfterPause: true,
  heavy: true,
  run: finished(async (context) => {
    await enqueueWork(await listDueProfiles(context.pool, new Date(context.now())), context);
  }),
});
