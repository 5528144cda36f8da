import { z } from "zod";
import { defineEvent } from "../define-event.ts";
import { conditionId, traderId, wallet } from "../payload-fields.ts";

export const suspiciousTradeFlagged = defineEvent({
  type: "suspicious_trade_flagged",
  spellings: ["suspicious_trade_flagged", "insider_radar_flag_raised"],
  frame: "suspicious_trade_flagged",
  access: "paid",
  isLive: true,
  firesWhen: "A large trade's suspicion score has reached the floor for the first time.",
  payload: z
    .object({
      trade_id: z.int().positive().meta({ description: "The flag's number: 81 is rf_81.", example: 81 }),
      wallet,
      trader_id: traderId,
      condition_id: conditionId,
      suspicion_score: z.number().meta({ description: "Suspicion score, 0 to 100.", example: 72 }),
      track: z
        .enum(["whale", "fresh_conviction", "sliced_position"])
        .meta({ description: "The rule that flagged the trade.", example: "whale" }),
      side: z.enum(["yes", "no"]).meta({ description: "The side of the market that the trader took.", example: "yes" }),
      size: z.number().meta({ description: "Size in dollars, truncated to cents.", example: 48_000.12 }),
      price: z.number().meta({ description: "Dollars per share, 0 to 1, truncated to four decimals.", example: 0.31 }),
    })
    .meta({
      id: "WebhookSuspiciousTradeFlaggedData",
      description: "A large trade whose suspicion score has reached the reporting threshold.",
    }),
});
