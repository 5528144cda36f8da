import { z } from "zod";
import { nullableTokenId } from "../../shared-fields.ts";

export const PositionTimelineEvent = z
  .object({
    id: z.string().meta({ description: "The fill's pe_ id.", example: "pe_901" }),
    event_timestamp: z.iso
      .datetime()
      .meta({ description: "Settlement time of the fill, UTC.", example: "2026-11-20T11:58:03.000Z" }),
    action: z.enum(["buy", "sell"]).meta({ description: "Whether the trader bought or sold." }),
    outcome_side: z
      .enum(["yes", "no"])
      .meta({ description: "yes is the first outcome of the market, no the second one." }),
    token_id: nullableTokenId,
    amount_delta: z
      .number()
      .meta({ description: "Change in shares: positive for a buy, negative for a sell.", example: -25.5 }),
    price: z.number().meta({ description: "Price in dollars per share, 0 to 1, with four decimals.", example: 0.52 }),
    usdc_notional: z.number().meta({ description: "Dollars paid or received, excluding the fee.", example: 13.26 }),
    tx_hash: z.string().meta({
      description: "Hash of the settlement transaction: 0x and 64 hex digits.",
      example: `0x${"ab".repeat(32)}`,
    }),
    running_amount: z.number().meta({
      description:
        "Shares of this outcome bought minus shares sold, over all recorded fills up to and including " +
        "this one. Negative when the first recorded fills are sells.",
      example: 74.5,
    }),
    running_avg_price: z.number().meta({
      description:
        "Average price in dollars per share over all buys of this outcome so far; sells do not change it. " +
        "0 before any buy.",
      example: 0.4912,
    }),
  })
  .meta({ id: "PositionTimelineEvent", description: "One fill of the trader, with the position after it." });
