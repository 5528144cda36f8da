import { z } from "zod";
import { defineEvent } from "../define-event.ts";
import { conditionId, grade, traderId, wallet } from "../payload-fields.ts";

const decimal = z.string().regex(/^\d+(\.\d+)?$/);

const payload = z.object({
  whale_alert_id: z.int().positive().meta({ description: "The trade's number: 81 is wt_81.", example: 81 }),
  condition_id: conditionId,
  trader_id: traderId,
  wallet,
  grade: grade
    .nullable()
    .meta({ description: "The trader's grade when the trade was recorded; null if ungraded.", example: "A" }),
  size_usd: decimal.meta({ description: "Size in dollars, without fees, exact.", example: "12500.5" }),
  shares: decimal.meta({ description: "Number of shares, exact.", example: "20000" }),
  price: decimal.meta({ description: "Dollars per share, 0 to 1, exact.", example: "0.625025" }),
  side: z.enum(["BUY", "SELL"]).meta({ description: "Whether the trader bought or sold.", example: "BUY" }),
  outcome_index: z.int().min(0).nullable().meta({
    description: "Index of the outcome, from 0 in the provider's order; null while the market has not been read.",
    example: 0,
  }),
  traded_at: z.iso.datetime().meta({ description: "Time of the fill, UTC.", example: "2026-11-20T11:59:58.000Z" }),
  platform: z.literal("polymarket").meta({ description: "The provider.", example: "polymarket" }),
});

export const largeTradeInsertedV2 = defineEvent({
  type: "large_trade_inserted_v2",
  spellings: ["large_trade_inserted_v2"],
  frame: "LargeTradeInsertedV2",
  access: "public",
  isLive: true,
  firesWhen: "A large trade has been recorded; one event per trade. `created_at` is the time of the fill.",
  payload,
  data: z
    .object({
      event_id: z.string().meta({
        description: "The event's id, equal to `id` of the delivery's body.",
        example: "evt_5b0f7c2d9e310a6801d2c3e4f5061728",
      }),
      ...payload.shape,
    })
    .meta({ id: "WebhookLargeTradeInsertedV2Data", description: "A large trade as recorded." }),
  facets: { grade: "grade", wallet: "wallet", sizeUsd: "size_usd" },
  occurredAt: { field: "traded_at", description: "When the trade was filled, UTC." },
});
