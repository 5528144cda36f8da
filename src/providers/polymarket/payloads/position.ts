import { z } from "zod";
import { parseMicro } from "../../../domain/money.ts";
import { AmountMicro, ConditionId, Decimal, MOST_MICRO, optional, OptionalDecimal, OptionalFlag, TokenId, Wallet } from "./fields.ts";

/** A profit or loss in millionths of a dollar. */
const ResultMicro = Decimal.transform((decimal, context) => {
  const micro = parseMicro(decimal);
  if (micro !== null && micro <= MOST_MICRO && micro >= -MOST_MICRO) return micro;
  context.addIssue({ code: "custom", message: "expected a profit or loss" });
  return z.NEVER;
});

/** A row of `/v2/positions` read by wallet: what it made of one outcome. */
export const PositionRow = z.object({
  proxy_wallet: Wallet,
  condition_id: ConditionId,
  token_id: TokenId,
  current_size: AmountMicro,
  total_size: optional(AmountMicro),
  realized_pnl: optional(ResultMicro),
  unrealized_pnl: optional(ResultMicro),
  redeemable: OptionalFlag,
});

export type PositionRow = z.output<typeof PositionRow>;

/** `/v2/leaderboard` asked for one wallet. A figure without a place is none: wallets that nobody ranks have zeros. */
export const StandingRow = z.object({
  user_id: optional(Wallet),
  pnl: OptionalDecimal,
  volume: OptionalDecimal,
  rank_pnl: optional(z.number().int().positive()),
  rank_volume: optional(z.number().int().positive()),
});

export type StandingRow = z.output<typeof StandingRow>;
