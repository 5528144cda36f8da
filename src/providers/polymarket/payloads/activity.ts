import { z } from "zod";
import { ACTIVITY_TYPES } from "../../../ports/provider.ts";
import { AmountMicro, ConditionId, EpochSeconds, optional, TokenId, TxHash } from "./fields.ts";
import { NamedRow, TradeRow } from "./trade.ts";

/** `usdc_size` of a trade is its cash, fee included; null where the row does not tell. */
const TradeActivity = TradeRow.extend({
  type: z.literal("TRADE"),
  usdc_size: optional(AmountMicro),
});

/** Rewards, rebates and transfers name no market; a redemption names no token, or one row for each. */
const OtherActivityRow = NamedRow.extend({
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
