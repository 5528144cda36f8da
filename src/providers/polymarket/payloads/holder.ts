import { z } from "zod";
import { AmountMicro, ConditionId, optional, OutcomeIndex, TokenId, Wallet } from "./fields.ts";

/** A row of `/v2/positions` read by market: one wallet's shares of one outcome. Both of a wallet's outcomes have rows of their own. */
export const HolderRow = z.object({
  proxy_wallet: Wallet,
  condition_id: ConditionId,
  token_id: TokenId,
  outcome_index: OutcomeIndex,
  current_size: AmountMicro,
  current_value: optional(AmountMicro),
});

export type HolderRow = z.output<typeof HolderRow>;
