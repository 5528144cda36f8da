import { z } from "zod";
import { GRADES } from "../../../domain/traders/grades.ts";
import {
  optionalCategory,
  conditionId,
  optionalEventSlug,
  marketId,
  optionalSlug,
  nullableTokenId,
  traderId,
  optionalUsername,
  walletAddress,
} from "../../shared-fields.ts";
import { TrustCompleteness } from "../../trust.ts";

const usd = (description: string, example: number) => z.number().meta({ description, example });
const tokenId = nullableTokenId;
const shares = z.number().meta({ description: "Open shares.", example: 120_000 });
const entryPrice = usd("Average cost in dollars per share, with four decimals.", 0.41);
const price = usd(
  "Current price of the outcome in dollars per share, 0 to 1, as in the market snapshot; omitted while " +
    "the outcome has no price.",
  0.55,
);
const label = z.string().meta({ description: "Name of the outcome; omitted while unknown.", example: "Yes" });

const HoldingEntry = z.object({
  outcome_index: z.int().min(0).max(1).meta({ description: "0 is YES, 1 is NO.", example: 0 }),
  outcome_label: label.optional(),
  token_id: tokenId,
  share_count: shares,
  avg_entry_price: entryPrice.optional(),
  current_price: price.optional(),
  value_usd: usd("Value of the shares in dollars; omitted while the outcome has no price.", 66_000).optional(),
  unrealized_pnl: usd("Value minus cost, in dollars; omitted with the value.", 16_800).optional(),
});

export const LargePosition = z
  .object({
    id: z.string().meta({
      description:
        "pos_ followed by the address, the condition id and the index of the most valuable outcome, " +
        "separated by colons.",
      example: `pos_0x${"a1".repeat(20)}:0x${"b2".repeat(32)}:0`,
    }),
    platform: z.literal("polymarket").meta({ description: "The provider of the market." }),
    total_size_usd: usd(
      "Value of the shares of the most valuable outcome, in dollars; omitted while that outcome has no price.",
      66_000,
    ).optional(),
    position_unrealized_pnl: usd(
      "Value minus cost of that outcome, in dollars; omitted with its value.",
      16_800,
    ).optional(),
    combined_value_usd: usd(
      "Value of the trader's shares in both outcomes, in dollars. Omitted when one of the outcomes has no " +
        "price; the list then ranks the position by the other one.",
      66_000,
    ).optional(),
    combined_unrealized_pnl: usd(
      "Value minus cost of both outcomes, in dollars; omitted with the combined value.",
      16_800,
    ).optional(),
    is_two_sided: z.boolean().meta({ description: "Whether the trader has shares of both outcomes.", example: false }),
    holdings: z
      .array(HoldingEntry)
      .min(1)
      .meta({
        description:
          "One entry per outcome, the most valuable first. The figures of the first entry are repeated " +
          "beside this list.",
      }),
    share_count: shares,
    avg_entry_price: entryPrice.optional(),
    current_price: price.optional(),
    outcome_label: label.optional(),
    token_id: tokenId,
    event_leg_count: z
      .int()
      .min(1)
      .meta({
        description:
          "Number of large positions of the trader in markets of the same event whose most valuable outcome " +
          "is on the same side, this one included; at least 1.",
        example: 1,
      }),
    event_total_value_usd: usd(
      "Combined value of those positions in dollars; omitted when one of their outcomes has no price.",
      66_000,
    ).optional(),
    first_seen_at: z.iso.datetime().meta({
      description: "Start of its current uninterrupted presence on the list, UTC.",
      example: "2026-11-18T09:20:00.000Z",
    }),
    last_updated_at: z.iso.datetime().meta({
      description: "Last change of its shares, or of its prices at the time of a scan, UTC.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    trader: z
      .object({
        id: traderId,
        address: walletAddress,
        username: optionalUsername,
        grade: z
          .enum(GRADES)
          .optional()
          .meta({ description: "The trader's grade when the list was built, about a minute ago.", example: "A" }),
        win_rate: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .meta({
            description:
              "Fraction from 0 to 1: profitable markets among resolved markets with a profit or a loss. " +
              "Omitted when there is no such market, or while unknown.",
            example: 0.5833,
          }),
        pnl: usd(
          "Realized plus unrealized profit of the trader, in dollars. Omitted while an open position has " +
            "no price, or while unknown.",
          1520.75,
        ).optional(),
        markets_traded: z
          .int()
          .min(0)
          .optional()
          .meta({ description: "Markets in which the trader ever had shares. Omitted while unknown.", example: 41 }),
        completeness: TrustCompleteness,
      })
      .meta({ description: "The trader of the position." }),
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: z.string().optional().meta({
          description: "The market's question; omitted until the market has been read.",
          example: "Will it rain?",
        }),
        slug: optionalSlug,
        event_slug: optionalEventSlug,
        category: optionalCategory,
      })
      .meta({ description: "The market of the position." }),
  })
  .meta({ id: "LargePosition", description: "The position of one trader in one market, both outcomes together." });
