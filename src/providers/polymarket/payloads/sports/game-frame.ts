import { z } from "zod";
import { Id, optional, OptionalDate, OptionalFlag, OptionalText } from "../fields.ts";

/**
 * A frame of the sports socket: the state of one game, identified by `gameId` or, for cricket, by
 * `metadataGameId`.
 */
export const GameFrame = z
  .object({
    gameId: optional(Id),
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
    eventState: optional(z.object({ createdAt: OptionalDate, updatedAt: OptionalDate })),
  })
  .refine((frame) => frame.gameId !== null || frame.metadataGameId !== null, "names no game");

export type GameFrame = z.output<typeof GameFrame>;
