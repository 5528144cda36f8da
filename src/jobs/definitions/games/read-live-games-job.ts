import { readLiveGames } from "../../../ingest/games/read-games.ts";
import { defineJob, finished } from "../../define-job.ts";

/** Reads the games in play from the provider's events: the fall-back for scores, and the clock of their board. */
export const readLiveGamesJob = defineJob({
  name: "read_live_games",
  lane: "games",
  every: 10_000,
  commitsEvents: true,
  run: finished(({ pool, provider, now }) => readLiveGames(pool, provider, () => new Date(now()))),
});
