import { z } from "zod";

/** Recorded objects about markets, positions, boards and games; trades are in `shapes.ts`. */

const wallet = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());
const condition = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{62}|[0-9a-fA-F]{64})$/)
  .transform((text) => text.toLowerCase());
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
/** A string that contains a JSON array of strings. */
const stringList = z
  .string()
  .nullish()
  .transform((value, context): string[] => {
    try {
      return z.array(z.string()).parse(JSON.parse(value || "[]"));
    } catch {
      context.addIssue("not a JSON array of strings");
      return z.NEVER;
    }
  });
const tag = z.object({ id: z.coerce.string(), label: z.string(), slug: z.string() });

const gammaEventFields = {
  id: z.coerce.string(),
  slug: z.string(),
  title: z.string(),
  tags: z.array(tag).optional(),
  series: z.array(z.object({ id: z.coerce.string(), slug: z.string() })).optional(),
};

export const GammaMarket = z.looseObject({
  id: z.coerce.string(),
  question: z.string(),
  conditionId: condition,
  slug: z.string(),
  outcomes: stringList,
  clobTokenIds: stringList,
  outcomePrices: stringList,
  closed: z.boolean(),
  closedTime: z.string().optional(),
  endDate: z.string().optional(),
  umaResolutionStatus: z.string().optional(),
  events: z.array(z.looseObject(gammaEventFields)).optional(),
});

export const GammaEvent = z.looseObject({
  ...gammaEventFields,
  closed: z.boolean(),
  markets: z.array(z.looseObject({ conditionId: z.string() })),
});

export const GammaWrapped = z.object({ condition_id: condition, raw: GammaMarket });
export const GammaSearch = z.object({ events: z.array(GammaEvent), pagination: z.unknown() });

export const FlatMarket = z.object({
  event_id: z.string(),
  event_slug: z.string(),
  event_title: z.string(),
  market_id: z.string(),
  market_question: z.string(),
  market_slug: z.string(),
  condition_id: condition,
  tag_labels: text,
  start_date: text,
  end_date: text,
  closed_time: text,
  closed: z.string(),
  volume_usd: text,
  outcomes: z.string().transform((value) => value.split("|")),
  resolved_outcome: text,
});

export const FlatMarketWithTokens = z.object({
  market_id: z.string(),
  question: z.string(),
  description: text,
  slug: z.string(),
  closed: z.string(),
  clob_token_ids: stringList,
  condition_id: condition,
  end_date: text,
  volume: text,
});

export const ClobMarket = z.looseObject({
  condition_id: condition,
  question: z.string(),
  market_slug: z.string(),
  closed: z.boolean(),
  end_date_iso: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  tokens: z.array(z.object({ token_id: z.string(), outcome: z.string(), winner: z.boolean() })),
});

export const ClobBook = z.object({
  market: condition,
  asset_id: z.string(),
  bids: z.array(z.object({ price: z.string(), size: z.string() })),
  asks: z.array(z.object({ price: z.string(), size: z.string() })),
  timestamp: z.coerce.number(),
});

export const ResolutionRow = z.object({
  condition_id: condition,
  resolved_outcome: z.enum(["YES", "NO"]).nullable(),
  payout_yes: z.number().nullable(),
  payout_no: z.number().nullable(),
  resolved_at: z.string().nullish(),
  question: z.string().optional(),
  file: z.string(),
});

const v1Position = {
  title: text,
  slug: text,
  icon: text,
  eventSlug: text,
  outcome: text,
  oppositeOutcome: text,
  proxyWallet: wallet,
  asset: z.string(),
  oppositeAsset: z.string(),
  conditionId: condition,
  outcomeIndex: z.number().int(),
};

export const V1ClosedPosition = z.object({
  ...v1Position,
  avgPrice: z.number(),
  totalBought: z.number(),
  realizedPnl: z.number(),
  curPrice: z.number(),
  timestamp: z.number().int(),
  size: z.never().optional(),
});

export const V1Position = z.object({
  ...v1Position,
  size: z.number(),
  avgPrice: z.number(),
  totalBought: z.number(),
  realizedPnl: z.number(),
  curPrice: z.number(),
  redeemable: z.boolean(),
});

export const V1BoardRow = z.object({
  rank: z.string(),
  proxyWallet: wallet,
  userName: text,
  vol: z.number(),
  pnl: z.number(),
  profileImage: text,
});

export const PolledBoardRow = z.object({
  timestamp_utc: z.iso.datetime({ offset: true }),
  address: wallet,
  username: text,
  pnl: z.number(),
  vol: z.number(),
  rank_combined: z.number(),
});

export const NflGame = z.object({
  condition_id: condition,
  event_slug: z.string(),
  league: z.string(),
  away: z.string(),
  home: z.string(),
  game_start_utc: z.iso.datetime(),
  winning_outcome: z.number().int().min(0).max(1).nullable(),
});

export const SportsFrame = z.looseObject({
  gameId: z.number().optional(),
  metadataGameId: z.string().optional(),
  leagueAbbreviation: z.string(),
  score: z.string(),
  live: z.boolean(),
  ended: z.boolean(),
});

export const TagTree = z.union([
  z.object({ rootTag: z.array(z.unknown()) }),
  z.object({ children: z.array(z.unknown()) }),
  tag.extend({ createdAt: z.string() }),
]);
export const TagNode = z.looseObject({ id: z.string(), label: z.string(), slug: z.string() });
