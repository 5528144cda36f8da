import { walkGames } from "../../../ingest/games/read-games.ts";
import { defineJob } from "../../define-job.ts";

/** Walks the provider's games: the open ones, then those that ended lately. */
export const readGamesJob = defineJob({
  name: "read_games",
  lane: "games",
  every: 60_000,
  commitsEvents: true,
  run: ({ pool, provider, now }) => walkGames(pool, provider, () => new Date(now())),
});
