import { z } from "zod";
import { AmountMicro, ConditionId, OutcomeIndex, TokenId, WalletAddress } from "../fields.ts";

/**
 * A row of `/v2/positions` by market: one holder's shares of one outcome. A holder of both outcomes has two
 * rows.
 */
export const HolderRow = z.object({
  proxy_wallet: WalletAddress,
  condition_id: ConditionId,
  token_id: TokenId,
  outcome_index: OutcomeIndex,
  current_size: AmountMicro,
});

export type HolderRow = z.output<typeof HolderRow>;
