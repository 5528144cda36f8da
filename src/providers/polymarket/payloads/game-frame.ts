import { z } from "zod";
import { OptionalDate, OptionalId, OptionalText } from "./fields.ts";

const OptionalFlag = z
  .boolean()
  .nullish()
  .transform((flag) => flag ?? null);

/** A frame of the sports socket: the state of one game, named by `gameId` or, for cricket, by `metadataGameId`. */
export const GameFrame = z
  .object({
    gameId: OptionalId,
    metadataGameId: OptionalText,
    slug: OptionalText,
    leagueAbbreviation: OptionalText,
    homeTeam: OptionalText,
    awayTeam: OptionalText,
    status: OptionalText,
    score: OptionalText,
    period: OptionalText,
    elapsed: OptionalText,
    live: OptionalFlag,
    ended: OptionalFlag,
    finishedTimestamp: OptionalDate,
  })
  .refine((frame) => frame.gameId !== null || frame.metadataGameId !== null, "names no game");

export type GameFrame = z.output<typeof GameFrame>;
