import { z } from "zod";
import { conditionId, decimal, epochSeconds, instant, micro, outcomeIndex, positiveMicro, price, text, tokenId, txHash, wallet } from "./common.ts";

/** The envelope of every list of the Data API. A miss is `data: null`. */
export const DataPage = z.object({
  data: z.array(z.unknown()).nullable(),
  pagination: z.object({ next_cursor: z.string().nullish() }).nullish(),
});

const walletFields = { proxy_wallet: wallet, name: text, pseudonym: text, profile_image: text };
const marketFields = { title: text, slug: text, event_slug: text, icon: text };

/** A row of /v2/trades. */
export const TradeRow = z.object({
  ...walletFields,
  ...marketFields,
  side: z.enum(["BUY", "SELL"]),
  token_id: tokenId,
  condition_id: conditionId,
  size: positiveMicro,
  price,
  timestamp: epochSeconds,
  outcome: text,
  outcome_index: outcomeIndex,
  transaction_hash: txHash,
});

export type TradeRow = z.output<typeof TradeRow>;

/** A TRADE row of /v2/activity: a trade with the cash it moved, fee included. */
export const TradeActivityRow = TradeRow.extend({ type: z.literal("TRADE"), usdc_size: micro.nullish() });

export type TradeActivityRow = z.output<typeof TradeActivityRow>;

const absentOr = <S extends z.ZodType>(schema: S) => z.union([z.literal("").transform(() => null), schema]).nullish();

/** Any other row of /v2/activity. Which of market, token and size it has depends on its type. */
export const OtherActivityRow = z.object({
  ...walletFields,
  ...marketFields,
  type: z.enum([
    "SPLIT",
    "MERGE",
    "REDEEM",
    "REWARD",
    "CONVERSION",
    "MIGRATION",
    "MAKER_REBATE",
    "TAKER_REBATE",
    "REFERRAL_REWARD",
    "YIELD",
    "DEPOSIT",
    "WITHDRAWAL",
    "TIP",
  ]),
  token_id: absentOr(tokenId),
  condition_id: absentOr(conditionId),
  size: micro.nullish(),
  usdc_size: micro.nullish(),
  timestamp: epochSeconds,
  transaction_hash: txHash,
});

export type OtherActivityRow = z.output<typeof OtherActivityRow>;

export const LeaderboardRow = z.object({
  rank: z.int().positive(),
  user_id: wallet,
  pnl: decimal.pipe(z.string()),
  volume: decimal,
  user_name: text,
  profile_image: text,
});

export type LeaderboardRow = z.output<typeof LeaderboardRow>;

const PPM = 1_000_000;

export const ResolutionRow = z.object({
  condition_id: conditionId,
  status: z.string().min(1),
  payouts: z
    .array(z.int().min(0).max(PPM))
    .refine((payouts) => payouts.reduce((sum, payout) => sum + payout, 0) === PPM, "do not sum to one")
    .nullish(),
  resolved_at: instant,
  last_update_timestamp: z.string().nullish(),
});

export type ResolutionRow = z.output<typeof ResolutionRow>;
