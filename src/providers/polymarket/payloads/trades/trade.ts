import { z } from "zod";
import {
  AmountMicro,
  ConditionId,
  EpochSeconds,
  OptionalText,
  OutcomeIndex,
  Probability,
  TokenId,
  TxHash,
  WalletAddress,
} from "../fields.ts";

/** The fields that every Data API row has about its trader and its market. */
export const DataRow = z.object({
  proxy_wallet: WalletAddress,
  name: OptionalText,
  profile_image: OptionalText,
  title: OptionalText,
  slug: OptionalText,
  event_slug: OptionalText,
  icon: OptionalText,
});

export type DataRow = z.output<typeof DataRow>;

/** A row of `/v2/trades`, and the fields that the TRADE rows of `/v2/activity` share with it. */
export const TradeRow = DataRow.extend({
  side: z.enum(["BUY", "SELL"]),
  token_id: TokenId,
  condition_id: ConditionId,
  // Recordings that round shares to two decimals contain dust as 0; it is still a trade.
  size: AmountMicro,
  price: Probability,
  timestamp: EpochSeconds,
  outcome: OptionalText,
  outcome_index: OutcomeIndex,
  transaction_hash: TxHash,
});

export type TradeRow = z.output<typeof TradeRow>;
