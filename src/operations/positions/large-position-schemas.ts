import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import {
  categoryIfAny,
  conditionId,
  eventSlugIfAny,
  marketId,
  slugIfAny,
  tokenIdOrNull,
  traderId,
  usernameIfAny,
  walletAddress,
} from "../fields.ts";
import { TrustCompleteness } from "../trust.ts";

const usd = (description: string, example: number) => z.number().meta({ description, example });
const tokenId = tokenIdOrNull;
const shares = z.number().meta({ description: "Shares held.", example: 120_000 });
const entryPrice = usd("Dollars paid a share, average cost, with four decimals.", 0.41);
const price = usd("The outcome's current price, that of its market's snapshot: dollars a share, 0 to 1; left out while it has none.", 0.55);
const label = z.string().meta({ description: "The outcome's name; left out while unknown.", example: "Yes" });

const Holding = z.object({
  outcome_index: z.int().min(0).max(1).meta({ description: "0 is YES, 1 is NO.", example: 0 }),
  outcome_label: label.optional(),
  token_id: tokenId,
  share_count: shares,
  avg_entry_price: entryPrice.optional(),
  current_price: price.optional(),
  value_usd: usd("Dollars the shares are worth; left out while the outcome has no price.", 66_000).optional(),
  unrealized_pnl: usd("Dollars: value less cost; left out with the value.", 16_800).optional(),
});

export const LargePosition = z
  .object({
    id: z.string().meta({
      description: "pos_, then wallet, condition id and the most valuable outcome's index with colons between.",
      example: `pos_0x${"a1".repeat(20)}:0x${"b2".repeat(32)}:0`,
    }),
    platform: z.literal("polymarket").meta({ description: "Where it is held." }),
    total_size_usd: usd("Dollars the most valuable outcome's shares are worth; left out while it has no price.", 66_000).optional(),
    position_unrealized_pnl: usd("Dollars: value less cost of that outcome; left out with its value.", 16_800).optional(),
    combined_value_usd: usd(
      "Dollars all outcomes held in the market are worth. Left out when one of them has no price; the list then ranks by those that have.",
      66_000,
    ).optional(),
    combined_unrealized_pnl: usd("Dollars: value less cost of all outcomes held; left out with the combined value.", 16_800).optional(),
    is_two_sided: z.boolean().meta({ description: "Whether both outcomes are held.", example: false }),
    holdings: z
      .array(Holding)
      .min(1)
      .meta({ description: "One entry an outcome, the most valuable first, whose figures also stand beside this list." }),
    share_count: shares,
    avg_entry_price: entryPrice.optional(),
    current_price: price.optional(),
    outcome_label: label.optional(),
    token_id: tokenId,
    event_leg_count: z.int().min(1).meta({
      description: "Large positions of the wallet in markets of the same event with most on the same side; 1 is this one alone.",
      example: 1,
    }),
    event_total_value_usd: usd("Dollars those are worth together; left out when a holding of one of them has no price.", 66_000).optional(),
    first_seen_at: z.iso
      .datetime()
      .meta({ description: "Since when it has been on the list without a break, UTC.", example: "2026-11-18T09:20:00.000Z" }),
    last_updated_at: z.iso.datetime().meta({
      description: "When its shares, or its prices as the scan saw them, last changed, UTC.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    trader: z
      .object({
        id: traderId,
        address: walletAddress,
        username: usernameIfAny,
        grade: z
          .enum(GRADES)
          .optional()
          .meta({ description: "The wallet's grade when the list was built, a minute or so ago.", example: "A" }),
        win_rate: z.number().min(0).max(1).optional().meta({
          description:
            "Fraction from 0 to 1 of resolved markets with any profit or loss that made a profit. Left out without one, and while it is not known.",
          example: 0.5833,
        }),
        pnl: usd(
          "Dollars: everything the wallet has made, open holdings at their value. Left out while one of them has no price, and while it is not known.",
          1520.75,
        ).optional(),
        markets_traded: z
          .int()
          .min(0)
          .optional()
          .meta({ description: "Markets it ever held shares in. Left out while it is not known.", example: 41 }),
        completeness: TrustCompleteness,
      })
      .meta({ description: "Who holds it." }),
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: z
          .string()
          .optional()
          .meta({ description: "The market's question; left out while it has not been read.", example: "Will it rain?" }),
        slug: slugIfAny,
        event_slug: eventSlugIfAny,
        category: categoryIfAny,
      })
      .meta({ description: "Where." }),
  })
  .meta({ id: "LargePosition", description: "What one wallet holds in one market, both outcomes together." });
