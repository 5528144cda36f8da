import { z } from "zod";
import { AmountMicro, ConditionId, EpochSeconds, OptionalText, OutcomeIndex, Probability, TokenId, TxHash, Wallet } from "./fields.ts";

/** What every Data API row says about its wallet and its market. */
export const NamedRow = z.object({
  proxy_wallet: Wallet,
  name: OptionalText,
  profile_image: OptionalText,
  title: OptionalText,
  slug: OptionalText,
  event_slug: OptionalText,
  icon: OptionalText,
});

export type NamedRow = z.output<typeof NamedRow>;

/** A row of `/v2/trades`, and what the TRADE rows of `/v2/activity` share with it. */
export const TradeRow = NamedRow.extend({
  side: z.enum(["BUY", "SELL"]),
  token_id: TokenId,
  condition_id: ConditionId,
  // Recordings that round shares to two decimals hold dust as 0; a trade stays a trade.
  size: AmountMicro,
  price: Probability,
  timestamp: EpochSeconds,
  outcome: OptionalText,
  outcome_index: OutcomeIndex,
  transaction_hash: TxHash,
});

export type TradeRow = z.output<typeof TradeRow>;
