import { PUBLISHING_JOB } from "../../../domain/picks/pick-schedule.ts";
import { followGames } from "../../../ingest/picks/follow-games.ts";
import { publishPicks } from "../../../ingest/picks/publish-picks.ts";
import { selectSlots } from "../../../ingest/picks/select-slots.ts";
import { watchMarkets } from "../../../ingest/picks/watch-markets.ts";
import { defineJob, finished } from "../../define-job.ts";
import { enqueueWork } from "../../enqueue-work.ts";

/** Selects picks of the day, and publishes and seals those whose release has come. */
export const publishPicksJob = defineJob({
  name: PUBLISHING_JOB,
  lane: "lists",
  every: 30_000,
  startsAfterPause: true,
  firstFill: "graded",
  run: finished(async (context) => {
    const { pool, sealing } = context;
    const now = () => new Date(context.now());
    // What selection reads arrives for a later run.
    await enqueueWork(await watchMarkets(pool, now()), context);
    await followGames(pool, now());
    await selectSlots(pool, now());
    await publishPicks(pool, sealing, now);
  }),
});
