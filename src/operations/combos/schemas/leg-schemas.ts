import { z } from "zod";
import { nullableCategory, nullableSlug, nullableTitle } from "../../shared-fields.ts";

export const EXAMPLE_COMBO_ID = `0x03${"7".repeat(34)}${"0".repeat(26)}`;

const ComboLegMarket = z
  .object({
    source: z.enum(["markets", "provider"]).meta({
      description:
        "markets: our own description of the market. provider: what the provider's combo reads say of it, until the " +
        "market itself has been read.",
      example: "markets",
    }),
    condition_id: z.string().meta({
      description: "Condition id of the leg's market: 0x and 64 hex digits, or 62 in the provider's second protocol.",
      example: `0x${"7".repeat(64)}`,
    }),
    title: nullableTitle,
    slug: nullableSlug,
    event_slug: z
      .string()
      .nullable()
      .meta({ description: "The provider's URL slug of the event; null while unknown.", example: "weather" }),
    polymarket_url: z.url().optional().meta({
      description: "Page of the event on the provider's website; left out while the event is unknown.",
      example: "https://polymarket.com/event/weather",
    }),
    outcome_label: z
      .string()
      .nullable()
      .meta({ description: "Label of the outcome that the leg picks; null while unknown.", example: "Yes" }),
    image: z.string().nullable().meta({
      description: "URL of the market's image; null when there is none.",
      example: "https://example.com/market.png",
    }),
    category: nullableCategory,
    winning_outcome: z
      .int()
      .nullable()
      .meta({
        description:
          "Index of the outcome that won; -1 when the market resolved without a single winner. Null until it has " +
          "resolved, and for source provider.",
        example: 0,
      }),
    resolved_at: z.iso.datetime().nullable().meta({
      description: "When the market resolved, UTC; null until then, and when the provider gives no time.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    market_closed: z.boolean().nullable().meta({
      description: "Whether trading has closed; null for source provider.",
      example: true,
    }),
    pick_price_daily: z
      .number()
      .nullable()
      .meta({
        description:
          "The newest stored daily close of the outcome that the leg picks, in dollars per share, with four decimals. " +
          "Not a quote. Null while none is stored.",
        example: 0.62,
      }),
    pick_price_as_of: z.iso.datetime().nullable().meta({
      description: "The UTC day of that price, at its start; null without a price.",
      example: "2026-11-19T00:00:00.000Z",
    }),
    pick_price_age_days: z
      .int()
      .nullable()
      .meta({ description: "UTC days from that day to today; null without a price.", example: 1 }),
    provider_leg_status: z.string().nullable().meta({
      description: "The provider's own status of the leg, verbatim; null when it gave none.",
      example: "OPEN",
    }),
  })
  .meta({ id: "ComboLegMarket", description: "The market of a leg." });

export const ComboLeg = z
  .object({
    leg_index: z.int().meta({ description: "Place of the leg in the provider's order, from 0.", example: 0 }),
    outcome_index: z.int().meta({ description: "The outcome that the leg picks: 0 YES, 1 NO.", example: 0 }),
    module_id: z.int().meta({ description: "The provider's kind of market: 1 binary, 2 neg-risk.", example: 1 }),
    state: z.enum(["pending", "won", "lost", "void", "unknown"]).meta({
      description: "Result of the leg. void: resolved without a single winner. unknown: nothing says it.",
      example: "won",
    }),
    market: ComboLegMarket.nullable().meta({ description: "The market of the leg; null when nothing is known of it." }),
  })
  .meta({ id: "ComboLeg", description: "One leg of a combo." });

export const comboStatus = z.enum(["pending", "won", "lost", "unknown"]).meta({
  description: "Result of the YES side of the combo, which pays when all legs win. unknown: see `status_reason`.",
  example: "pending",
});
export const comboStatusReason = z.string().nullable().meta({
  description:
    "Why the status is unknown. legs_not_indexed: the provider has not shown the legs yet. Null for another status.",
  example: null,
});
export const comboLegCount = z
  .int()
  .nullable()
  .meta({ description: "Number of legs; null until the legs are known.", example: 1 });
export const comboLegs = z.array(ComboLeg).meta({
  description: "The legs in the provider's order; empty while `leg_count` is null, because they are not known.",
});
export const comboConditionId = z.string().meta({
  description: "Condition id of the combo: 0x and 62 hex digits. It is not the id of a market.",
  example: EXAMPLE_COMBO_ID,
});
