import { z } from "zod";

/** The parts of the provider's responses that decide what is recorded. Rows keep all their fields. */

/** A row of `/v2/trades` or `/v2/activity`. */
export const FillRow = z.looseObject({
  proxy_wallet: z.string(),
  condition_id: z.string().nullish(),
  token_id: z.string().nullish(),
  transaction_hash: z.string(),
  type: z.string().optional(),
  side: z.string().nullish(),
  size: z.number(),
  timestamp: z.number(),
});
export type FillRow = z.output<typeof FillRow>;

export const FillPage = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ next_cursor: z.string().nullish() }),
});

const facts = {
  id: z.union([z.string(), z.number()]),
  closed: z.boolean(),
};

/** A Gamma market. */
export const MarketRow = z.looseObject({
  ...facts,
  conditionId: z.string(),
  question: z.unknown().optional(),
  outcomes: z.unknown().optional(),
  clobTokenIds: z.unknown().optional(),
  outcomePrices: z.unknown().optional(),
  closedTime: z.unknown().optional(),
  endDate: z.unknown().optional(),
  umaResolutionStatus: z.unknown().optional(),
});

/** A Gamma event with its markets. */
export const EventRow = z.looseObject({ ...facts, slug: z.string(), markets: z.array(MarketRow) });

/** The events of games are read without their markets. A replay has no use for them. */
export const GameRow = z.looseObject({
  ...facts,
  slug: z.string(),
  conditionId: z.undefined().optional(),
  markets: z.undefined().optional(),
});

/** Gamma's lists: an array, or an object with one. */
export const GammaList = z.union([
  z.array(z.unknown()),
  z.object({ markets: z.array(z.unknown()) }).transform(({ markets }) => markets),
  z.object({ events: z.array(z.unknown()) }).transform(({ events }) => events),
]);
