import { z } from "zod";
import { EDGE_SPORTS } from "../../../domain/edge/edge-snapshot.ts";
import { count, instant, orNull } from "./pile-fields.ts";
import { PreGameSideSportFunnel } from "./observation-schemas.ts";

const UNBUILT = "without a current snapshot of that kind";

const degraded = (games: string) =>
  z
    .boolean()
    .nullable()
    .meta({
      description: `Whether the snapshot of ${games} is partial. Null ${UNBUILT}.`,
      example: false,
    });

export const EdgeBoardSport = z
  .object({
    sport: z.enum(EDGE_SPORTS).meta({ description: "The sport.", example: "Soccer" }),
    pre_game_as_of: orNull(instant("When the snapshot of games before kickoff was built"), UNBUILT),
    in_play_as_of: orNull(instant("When the snapshot of live games was built"), UNBUILT),
    pre_game_degraded: degraded("games before kickoff"),
    in_play_degraded: degraded("live games"),
    signals: orNull(count("Signals of games that have not begun.", 1), UNBUILT),
    wider_holders: orNull(count("Rows of the cohort wider_holder.", 3), UNBUILT),
    emerging_piles: orNull(count("Rows of the cohort emerging_pile.", 1), UNBUILT),
    in_play: orNull(count("Rows of the cohort in_play.", 0), UNBUILT),
    pre_game_funnel: PreGameSideSportFunnel.nullable().meta({
      description: `Where the sport's markets ended before kickoff. Null ${UNBUILT}.`,
    }),
    in_play_funnel: PreGameSideSportFunnel.nullable().meta({
      description: `Where the sport's markets ended among live games. Null ${UNBUILT}.`,
    }),
  })
  .meta({ id: "EdgeBoardSport", description: "One sport of the board: its rows, and where its markets ended." });
