import { z } from "zod";
import { tokenIdOrNull } from "../fields.ts";

export const PositionTimelineEvent = z
  .object({
    id: z.string().meta({ description: "The fill's pe_ id.", example: "pe_901" }),
    event_timestamp: z.iso.datetime().meta({ description: "When the fill was settled, UTC.", example: "2026-11-20T11:58:03.000Z" }),
    action: z.enum(["buy", "sell"]).meta({ description: "Whether the wallet bought or sold." }),
    outcome_side: z.enum(["yes", "no"]).meta({ description: "yes is the market's first outcome, no its second." }),
    token_id: tokenIdOrNull,
    amount_delta: z.number().meta({ description: "Shares: above 0 when bought, below when sold.", example: -25.5 }),
    price: z.number().meta({ description: "Dollars a share, 0 to 1, four decimals.", example: 0.52 }),
    usdc_notional: z.number().meta({ description: "Dollars paid or received, without the fee.", example: 13.26 }),
    tx_hash: z.string().meta({ description: "The transaction that settled it: 0x and 64 hex digits.", example: `0x${"ab".repeat(32)}` }),
    running_amount: z.number().meta({
      description:
        "Shares of this outcome bought less sold, up to and with this fill, over all stored fills. Below zero where the first fills stored are sales.",
      example: 74.5,
    }),
    running_avg_price: z.number().meta({
      description: "Dollars paid a share over all buys of this outcome so far; sales do not change it. 0 before any buy.",
      example: 0.4912,
    }),
  })
  .meta({ id: "PositionTimelineEvent", description: "One fill of the wallet, and the position it left." });
