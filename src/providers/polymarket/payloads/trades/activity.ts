import { z } from "zod";
import { ACTIVITY_TYPES } from "../../../../platform/provider.ts";
import { AmountMicro, ConditionId, EpochSeconds, optional, TokenId, TxHash } from "../fields.ts";
import { DataRow, TradeRow } from "./trade.ts";

/** `usdc_size` of a trade is its cash, fee included; null if the row has none. */
const TradeActivity = TradeRow.extend({
  type: z.literal("TRADE"),
  usdc_size: optional(AmountMicro),
});

/** Rewards, rebates and transfers name no market. A redemption names no token, or has one row per token. */
const OtherActivityRow = DataRow.extend({
  type: z.enum(ACTIVITY_TYPES),
  condition_id: optional(ConditionId),
  token_id: optional(TokenId),
  size: AmountMicro,
  usdc_size: AmountMicro,
  timestamp: EpochSeconds,
  transaction_hash: TxHash,
});

/** A row of `/v2/activity`. */
export const ActivityRow = z.discriminatedUnion("type", [TradeActivity, OtherActivityRow]);

export type ActivityRow = z.output<typeof ActivityRow>;
export type TradeActivity = z.output<typeof TradeActivity>;
export type OtherActivityRow = z.output<typeof OtherActivityRow>;
