import { z } from "zod";
import { Id, optional, OptionalFlag, OptionalText, Text } from "../fields.ts";
import { Event } from "../markets/market.ts";

const Team = z.object({
  name: Text,
  abbreviation: OptionalText,
  logo: OptionalText,
  record: OptionalText,
  league: OptionalText,
  providerId: optional(Id),
  // Another text than these two does not say which side is at home.
  ordering: z.enum(["home", "away"]).nullish().catch(null),
});

/** A Gamma event of a game, without its markets. */
export const GameEvent = Event.extend({
  parentEventId: optional(Id),
  closed: OptionalFlag,
  teams: z
    .array(Team)
    .nullish()
    .transform((teams) => teams ?? []),
  sport: optional(
    z.object({
      sport: OptionalText,
      /** Which side comes first in titles, slugs and scores. */
      ordering: z.enum(["home", "away"]).nullish().catch(null),
    }),
  ),
  gameStatus: OptionalText,
  score: OptionalText,
  period: OptionalText,
  elapsed: OptionalText,
  live: OptionalFlag,
  ended: OptionalFlag,
  finishedTimestamp: Event.shape.startDate,
});

export type GameEvent = z.output<typeof GameEvent>;

/** A page of Gamma's event keyset. No cursor means the last page. */
export const GameEventPage = z.object({
  events: z.array(z.unknown()),
  next_cursor: z
    .string()
    .nullish()
    .transform((cursor) => cursor || null),
});
