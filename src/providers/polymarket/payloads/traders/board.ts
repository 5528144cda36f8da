import { z } from "zod";
import { Decimal, OptionalDecimal, OptionalText, WalletAddress } from "../fields.ts";

/** A row of `/v2/leaderboard`. Volume is in shares. */
export const BoardRow = z.object({
  rank: z.number().int().positive().max(1_000_000),
  user_id: WalletAddress,
  user_name: OptionalText,
  profile_image: OptionalText,
  pnl: Decimal,
  volume: OptionalDecimal,
});

export type BoardRow = z.output<typeof BoardRow>;
