import { z } from "zod";

export const PositionTimelineEvent = z
  .object({
    id: z.string().meta({ description: "pe_ id of the stored fill.", example: "pe_901" }),
    event_timestamp: z.iso.datetime().meta({ description: "When the fill happened on chain." }),
    action: z.enum(["buy", "sell"]).meta({ description: "What the wallet did." }),
    outcome_side: z.enum(["yes", "no"]).meta({ description: "yes is the market's first outcome, no its second." }),
    token_id: z.string().nullable().meta({ description: "The outcome's token, a decimal string.", example: "1000001" }),
    amount_delta: z.number().meta({ description: "Shares, above zero when bought and below when sold.", example: -25.5 }),
    price: z.number().meta({ description: "Dollars a share, 0 to 1, four decimals.", example: 0.52 }),
    usdc_notional: z.number().meta({ description: "Dollars paid or received, without the fee.", example: 13.26 }),
    tx_hash: z.string().meta({ description: "Transaction, 0x and 64 hex digits.", example: `0x${"ab".repeat(32)}` }),
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
  .meta({ id: "PositionTimelineEvent" });
