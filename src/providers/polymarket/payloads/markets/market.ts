import { z } from "zod";
import {
  ConditionId,
  Id,
  optional,
  OptionalDate,
  OptionalDecimal,
  OptionalFlag,
  OptionalProbability,
  OptionalText,
  StringList,
  Text,
} from "../fields.ts";

const Tags = z
  .array(z.object({ slug: OptionalText }))
  .nullish()
  .transform((tags) => (tags ?? []).flatMap((tag) => tag.slug ?? []));

/** A Gamma event, alone or embedded in a market. */
export const Event = z.object({
  id: Id,
  slug: Text,
  title: OptionalText,
  image: OptionalText,
  icon: OptionalText,
  seriesSlug: OptionalText,
  series: z
    .array(z.object({ slug: OptionalText }))
    .nullish()
    .transform((series) => series ?? []),
  tags: Tags,
  startDate: OptionalDate,
  startTime: OptionalDate,
  endDate: OptionalDate,
  gameId: optional(Id),
});

export type Event = z.output<typeof Event>;

/** A Gamma market. Lists arrive as JSON in strings, amounts as strings or numbers, times in two formats. */
export const Market = z.object({
  id: Id,
  conditionId: optional(ConditionId),
  version: OptionalText,
  question: Text,
  slug: OptionalText,
  description: OptionalText,
  image: OptionalText,
  icon: OptionalText,
  category: OptionalText,
  tags: Tags,
  events: z
    .array(Event)
    .nullish()
    .transform((events) => events ?? []),
  negRisk: OptionalFlag,
  sportsMarketType: OptionalText,
  gameId: optional(Id),
  closed: z.boolean(),
  createdAt: OptionalDate,
  startDate: OptionalDate,
  endDate: OptionalDate,
  closedTime: OptionalDate,
  gameStartTime: OptionalDate,
  volume: OptionalDecimal,
  volumeNum: OptionalDecimal,
  volume24hr: OptionalDecimal,
  liquidity: OptionalDecimal,
  liquidityNum: OptionalDecimal,
  umaResolutionStatus: OptionalText,
  resolutionStatus: OptionalText,
  outcomes: StringList,
  outcomePrices: StringList,
  clobTokenIds: StringList,
  positionIds: StringList,
  bestBid: OptionalProbability,
  bestAsk: OptionalProbability,
  lastTradePrice: OptionalProbability,
});

export type Market = z.output<typeof Market>;

/** A page of a Gamma keyset route. No cursor means the last page, whatever the number of rows. */
export const MarketPage = z.object({
  markets: z.array(z.unknown()),
  next_cursor: z
    .string()
    .nullish()
    .transform((cursor) => cursor || null),
});
