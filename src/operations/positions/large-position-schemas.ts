import { z } from "zod";

const usd = (description: string, example: number) => z.number().meta({ description, example });
const tokenId = z.string().nullable().meta({ description: "The outcome's token, a decimal string.", example: "1000001" });
const shares = z.number().meta({ description: "Shares held.", example: 120_000 });
const entryPrice = usd("Dollars paid a share, average cost, four decimals.", 0.41);
const price = usd("The outcome's price, 0 to 1, four decimals; left out while it has none.", 0.55);
const label = z.string().meta({ description: "The outcome's name.", example: "Yes" });

const Holding = z.object({
  outcome_index: z.int().min(0).max(1).meta({ description: "0 is YES, 1 is NO." }),
  outcome_label: label.optional(),
  token_id: tokenId,
  share_count: shares,
  avg_entry_price: entryPrice.optional(),
  current_price: price.optional(),
  value_usd: usd("Left out while the outcome has no price.", 66_000).optional(),
  unrealized_pnl: usd("Value less cost; left out with the value.", 16_800).optional(),
});

export const LargePosition = z
  .object({
    id: z.string().meta({
      description: "pos_, then wallet, condition id and the most valuable outcome's index with colons between.",
      example: `pos_0x${"a1".repeat(20)}:0x${"b2".repeat(32)}:0`,
    }),
    platform: z.literal("polymarket"),
    total_size_usd: usd("What the most valuable outcome's shares are worth.", 66_000).optional(),
    position_unrealized_pnl: usd("Value less cost of that outcome.", 16_800).optional(),
    combined_value_usd: usd(
      "Of all outcomes held in the market. Left out when one of them has no price; the list then ranks by those that have.",
      66_000,
    ).optional(),
    combined_unrealized_pnl: usd("Value less cost of all outcomes held; left out with the combined value.", 16_800).optional(),
    is_two_sided: z.boolean().meta({ description: "Whether both outcomes are held." }),
    holdings: z
      .array(Holding)
      .min(1)
      .meta({ description: "One entry an outcome, the most valuable first: it repeats the fields beside it." }),
    share_count: shares,
    avg_entry_price: entryPrice.optional(),
    current_price: price.optional(),
    outcome_label: label.optional(),
    token_id: tokenId,
    event_leg_count: z.int().min(1).meta({
      description: "Large positions of the wallet in markets of the same event with most on the same side; 1 is this one alone.",
      example: 1,
    }),
    event_total_value_usd: usd("What those are worth together; left out when a holding of one of them has no price.", 66_000).optional(),
    first_seen_at: z.iso.datetime().meta({ description: "Since when it has been on the list without a break." }),
    last_updated_at: z.iso.datetime().meta({ description: "When its shares or prices last changed." }),
    trader: z.object({
      id: z.string().meta({ description: "trd_ id.", example: "trd_12" }),
      address: z.string().meta({ example: `0x${"a1".repeat(20)}` }),
      username: z.string().optional().meta({ example: "alice" }),
      grade: z
        .enum(["S", "A", "B", "C", "D", "F"])
        .optional()
        .meta({ description: "The wallet's grade when the list was built, a minute or so ago.", example: "A" }),
      win_rate: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .meta({ description: "Fraction of resolved markets with any profit or loss that made a profit.", example: 0.5833 }),
      pnl: usd(
        "Everything the wallet has made, dollars, open holdings at their value. Left out while one of them has no price.",
        1520.75,
      ).optional(),
      markets_traded: z
        .int()
        .min(0)
        .optional()
        .meta({ description: "Markets it ever held shares in; left out above 1,000 positions.", example: 41 }),
    }),
    market: z.object({
      id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
      condition_id: z.string().meta({ description: "The provider's id.", example: `0x${"b2".repeat(32)}` }),
      title: z.string().optional().meta({ example: "Will it rain?" }),
      slug: z.string().optional().meta({ example: "will-it-rain" }),
      event_slug: z.string().optional().meta({ example: "weather" }),
      category: z.string().optional().meta({ example: "Politics" }),
    }),
  })
  .meta({ id: "LargePosition" });
