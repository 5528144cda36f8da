import { inTransaction } from "../../../db/client.ts";
import { applyScoreFrames } from "../../../ingest/games/apply-score-frames.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Applies the frames of the score socket and publishes the changes that are due. */
export const applyScoresJob = defineJob({
  name: "apply_scores",
  lane: "games",
  every: 2_000,
  commitsEvents: true,
  run: finished(async ({ pool, scoreFrames, now }) => {
    const frames = scoreFrames.take();
    try {
      await inTransaction(pool, (session) => applyScoreFrames(session, frames, new Date(now())));
    } catch (error) {
      scoreFrames.putBack(frames);
      throw error;
    }
  }),
});
