import { z } from "zod";
import { conditionId, decimal, instant, jsonList, loosePrice, text } from "./common.ts";

const idText = z.union([z.string().min(1), z.int().transform(String)]);

const Tag = z.object({ slug: text, label: text });

const Series = z.object({ slug: text });

export const GammaEvent = z.object({
  id: idText,
  slug: z.string().min(1),
  title: text,
  image: text,
  icon: text,
  seriesSlug: text,
  series: z.array(Series).nullish(),
  tags: z.array(Tag).nullish(),
  startDate: instant,
  startTime: instant,
  endDate: instant,
  category: text,
});

export type GammaEvent = z.output<typeof GammaEvent>;

export const GammaMarket = z.object({
  id: idText,
  version: z.enum(["v1", "v2"]).nullish(),
  conditionId,
  question: z.string().min(1),
  slug: text,
  description: text,
  image: text,
  icon: text,
  category: text,
  outcomes: jsonList,
  outcomePrices: jsonList,
  clobTokenIds: jsonList,
  positionIds: z.array(z.string()).nullish(),
  closed: z.boolean().nullish(),
  createdAt: instant,
  startDate: instant,
  endDate: instant,
  closedTime: instant,
  gameStartTime: instant,
  eventStartTime: instant,
  bestBid: loosePrice,
  bestAsk: loosePrice,
  lastTradePrice: loosePrice,
  volume: decimal,
  volumeNum: decimal,
  volume24hr: decimal,
  liquidity: decimal,
  liquidityNum: decimal,
  umaResolutionStatus: text,
  resolutionStatus: text,
  negRisk: z.boolean().nullish(),
  sportsMarketType: text,
  gameId: z.union([text, z.int().transform(String)]),
  tags: z.array(Tag).nullish(),
  events: z.array(z.unknown()).nullish(),
});

export type GammaMarket = z.output<typeof GammaMarket>;

/** A keyset page: `next_cursor` absent ends the walk. */
export const MarketsPage = z.object({ markets: z.array(z.unknown()), next_cursor: z.string().nullish() });
