import { z } from "zod";
import { V1_ACTIVITY_TYPES } from "../../provider-world.ts";

/** The formats in which third parties have recorded the provider's data. Unlisted fields are ignored. */

const wallet = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase());
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase());
const condition = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{62}|[0-9a-fA-F]{64})$/)
  .transform((text) => text.toLowerCase());
const token = z.string().regex(/^\d{1,78}$/);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const side = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.enum(["BUY", "SELL"]));
/** `2022-01-12 21:10:26` in UTC, as epoch seconds. */
const spacedTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
  .transform((value) => Date.parse(`${value.slice(0, 10)}T${value.slice(11, 19)}Z`) / 1000);

const v1Names = {
  title: text,
  slug: text,
  icon: text,
  eventSlug: text,
  outcome: text,
  name: text,
  pseudonym: text,
  bio: text,
  profileImage: text,
};

export const V1Trade = z.object({
  ...v1Names,
  proxyWallet: wallet,
  side,
  asset: token,
  conditionId: condition,
  size: z.number(),
  price: z.number(),
  timestamp: z.number().int(),
  outcomeIndex: z.number().int(),
  transactionHash: hash,
  type: z.never().optional(),
});

export const V1Activity = z.object({
  ...v1Names,
  proxyWallet: wallet,
  type: z.enum(V1_ACTIVITY_TYPES),
  side: z.enum(["BUY", "SELL", ""]).catch(""),
  asset: text,
  conditionId: text.transform((value) => value.toLowerCase()),
  size: z.number(),
  usdcSize: z.number(),
  price: z.number(),
  timestamp: z.number().int(),
  outcomeIndex: z.number().int(),
  transactionHash: hash,
});

const v2Fill = {
  title: text,
  slug: text,
  icon: text,
  event_slug: text,
  outcome: text,
  name: text,
  pseudonym: text,
  bio: text,
  profile_image: text,
  proxy_wallet: wallet,
  size: z.number(),
  timestamp: z.number().int(),
  outcome_index: z.number().int(),
  transaction_hash: hash,
  /** Of equal rows of one walk over the provider's pages. A row that was recorded again has the same. */
  ordinal: z.int().nonnegative(),
};

/** A trade of the provider's current API as the relay records it. */
export const V2Trade = z.object({
  ...v2Fill,
  side,
  token_id: token,
  condition_id: condition,
  price: z.number(),
  taker_only: z.boolean(),
});

/** A row of a wallet's activity as the relay records it. */
export const V2Activity = z.object({
  ...v2Fill,
  type: V1Activity.shape.type,
  side: V1Activity.shape.side,
  token_id: text,
  condition_id: text.transform((value) => value.toLowerCase()),
  price: z.number(),
  usdc_size: z.number(),
});

export const AmmTrade = z.object({
  market: z.string(),
  Timestamp: spacedTime,
  Account: wallet,
  Type: z.enum(["Buy", "Sell"]),
  Outcome: z.string(),
  Amount: z.number(),
  Shares: z.number(),
  Price: z.number().nullable(),
});

export const AmmMarket = z.object({
  market: z.string(),
  market_full_name: z.string().nullable(),
  outcomes: z.array(z.string()),
  first: spacedTime,
  last: spacedTime,
  winning_outcome: z.string().nullable(),
});

export const LargeTrade = z.object({
  tx: hash,
  wallet,
  name: text,
  usd: z.number().positive(),
  price: z.number().positive(),
  title: z.string(),
  outcome: z.string(),
  eventSlug: z.string(),
  timestamp: z.number().int(),
  conditionId: condition.optional(),
  outcomeIndex: z.number().int().optional(),
});

export const ResolvedSignal = z.object({
  id: z.string().regex(/^0x[0-9a-f]{64}:\d+$/),
  title: z.string(),
  outcome: z.string(),
  eventSlug: z.string(),
  resolvedAt: z.iso.datetime({ offset: true }),
  won: z.boolean(),
});

/** An indexer's fills without transaction; sizes in millionths. */
export const IndexerFill = z.object({
  wallet,
  timestamp: spacedTime,
  asset_id: token,
  side,
  size: z.number(),
  price: z.number(),
  cost: z.number(),
  trade_id: z.string(),
});

/** An indexer's fills with transaction, without wallet; sizes in shares. */
export const IndexerFillWithTransaction = z.object({
  tx_hash: hash,
  timestamp: spacedTime,
  asset_id: token,
  side,
  shares: z.coerce.number(),
  price: z.coerce.number(),
  fee_rate_bps: z.string(),
});

export const OrderFill = z.object({
  token_id: token,
  side,
  market_slug: z.string(),
  condition_id: condition,
  price: z.number(),
  tx_hash: hash,
  title: z.string(),
  timestamp: z.number().int(),
  order_hash: hash,
  user: wallet,
  shares_normalized: z.number(),
});

export const Print = z.object({
  timestamp: z.number().int(),
  conditionId: condition,
  title: z.string(),
  side_yes_no: z.enum(["yes", "no"]),
  price: z.number(),
  size_usd: z.number(),
});

export const DailyPrice = z.object({
  market_id: z.string(),
  token_id: token,
  outcome: z.string(),
  question: z.string(),
  timestamp: spacedTime,
  price: z.number(),
});
