import { z } from "zod";
import { defineEvent } from "../define-event.ts";
import { conditionId, grade } from "../payload-fields.ts";

export const sharpMoneyFlowDetected = defineEvent({
  type: "sharp_money_flow_detected",
  spellings: ["sharp_money_flow_detected", "smart_money_flow_detected"],
  frame: "sharp_money_flow_detected",
  access: "paid",
  isLive: true,
  firesWhen: "The net flow of ranked traders in a market has crossed the threshold of its window, on either side.",
  payload: z
    .object({
      condition_id: conditionId,
      net_flow_usd: z
        .number()
        .meta({ description: "Dollars on YES minus dollars on NO in the window.", example: -61_250.4 }),
      abs_net_flow_usd: z.number().meta({ description: "Absolute net flow in dollars.", example: 61_250.4 }),
      dominant_side: z.enum(["yes", "no"]).meta({ description: "The side of the net flow.", example: "no" }),
      grade_floor: grade.meta({ description: "The lowest grade included in the sum.", example: "B" }),
      whale_trade_count: z.int().min(0).meta({ description: "Number of large trades in the sum.", example: 4 }),
      window: z.string().meta({ description: "Length of the window: 1h, 4h, 24h or 7d.", example: "24h" }),
    })
    .meta({
      id: "WebhookSharpMoneyFlowDetectedData",
      description: "A market where the net flow of graded traders is on one side.",
    }),
});
