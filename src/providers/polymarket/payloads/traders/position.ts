import { z } from "zod";
import { parseMicro } from "../../../../domain/money.ts";
import {
  AmountMicro,
  ConditionId,
  Decimal,
  MAX_AMOUNT_MICRO,
  optional,
  OptionalDecimal,
  OptionalFlag,
  TokenId,
  WalletAddress,
} from "../fields.ts";

/** A profit or loss in millionths of a dollar. */
const ResultMicro = Decimal.transform((decimal, context) => {
  const micro = parseMicro(decimal);
  if (micro !== null && micro <= MAX_AMOUNT_MICRO && micro >= -MAX_AMOUNT_MICRO) return micro;
  context.addIssue({ code: "custom", message: "expected a profit or loss" });
  return z.NEVER;
});

/** A row of `/v2/positions` by trader: its result in one outcome. */
export const PositionRow = z.object({
  proxy_wallet: WalletAddress,
  condition_id: ConditionId,
  token_id: TokenId,
  current_size: AmountMicro,
  total_size: optional(AmountMicro),
  realized_pnl: optional(ResultMicro),
  unrealized_pnl: optional(ResultMicro),
  redeemable: OptionalFlag,
});

export type PositionRow = z.output<typeof PositionRow>;

/**
 * `/v2/leaderboard` for one trader. A figure without a rank is unknown: traders that are not ranked have
 * zeros.
 */
export const StandingRow = z.object({
  user_id: optional(WalletAddress),
  pnl: OptionalDecimal,
  volume: OptionalDecimal,
  rank_pnl: optional(z.number().int().positive()),
  rank_volume: optional(z.number().int().positive()),
});

export type StandingRow = z.output<typeof StandingRow>;
