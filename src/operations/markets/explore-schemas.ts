import { z } from "zod";

const text = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });
const figure = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });
const whole = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });
const instant = (description: string, example: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description, examples: [example] });
const points = (side: string) =>
  z
    .array(z.tuple([z.number(), z.number()]))
    .nullable()
    .meta({
      description: `Up to seven pairs for ${side}, oldest first: the start of a UTC day with a trade in Unix seconds, and that day's closing price. Null when none is known.`,
      examples: [
        [
          [1795046400, 0.58],
          [1795132800, 0.62],
        ],
      ],
    });
const Platform = z
  .enum(["polymarket"])
  .nullable()
  .meta({ description: "Where it trades.", examples: ["polymarket"] });
const Availability = z.enum(["available", "unavailable"]);
const OLD = "The same value under its old name.";

const signal = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description} 0 to 1, null when not known.`, examples: [example] });

const ScoreComponents = z
  .object({
    volume_signal: signal("Volume of all time on a logarithmic scale, full at $10,000,000.", 0.61),
    large_trade_signal: signal("Number of large trades on a logarithmic scale, full at 100.", 0.5),
    whale_signal: signal(OLD, 0.5),
    liquidity_signal: signal("Liquidity on a logarithmic scale, full at $1,000,000.", 0.44),
    recency_signal: signal("1 at the newest large trade, halved every 24 hours.", 0.9),
    sharp_money_signal: signal("Size of the net flow of S, A and B wallets over 24 hours on a logarithmic scale, full at $1,000,000.", 0.3),
    smart_money_signal: signal(OLD, 0.3).meta({ deprecated: true }),
    price_move_signal: signal("Size of the price's move in 24 hours, full at 20 points. No part of discover_score.", 0.2),
    missing_price_penalty: z.number().meta({ description: "Taken off discover_score: 0.5 without a price, else 0.", examples: [0] }),
  })
  .meta({ description: "What discover_score is the sum of; only on the market that represents its entry." });

export const ExploreMarket = z
  .object({
    id: z.string().meta({ description: "mkt_ id.", examples: ["mkt_7"] }),
    condition_id: z.string().meta({
      description: "The provider's condition id.",
      examples: ["0x00000000000000000000000000000000000000000000000000000000000000a7"],
    }),
    title: z
      .string()
      .min(1)
      .meta({ description: "The market's question.", examples: ["Will it rain in Paris on Sunday?"] }),
    slug: text("The provider's slug.", "rain-in-paris-on-sunday"),
    url_slug: text("The slug of its web page.", "rain-in-paris-on-sunday"),
    image: text("Address of its picture.", "https://images.example.com/rain.png"),
    icon: text("Address of its icon.", "https://images.example.com/rain-icon.png"),
    category: text("Its category.", "Science & Tech"),
    platform: Platform,
    status: z
      .enum(["active", "closed"])
      .meta({ description: "closed once trading has closed or the market has resolved.", examples: ["active"] }),
    volume: figure("Volume of all time in US dollars, as the provider last said.", 120450.25),
    liquidity: figure("Liquidity in US dollars, as the provider last said.", 9800.5),
    large_trade_count: whole("Large trades detected in it.", 14),
    whale_trade_count: whole(OLD, 14),
    large_trade_distinct_wallets: whole("Wallets that made them.", 9),
    whale_distinct_wallets: whole(OLD, 9),
    large_trade_total_usd: figure("Their sum in US dollars.", 182400.1),
    whale_total_usd: figure(OLD, 182400.1),
    large_trade_last_at: instant("When the newest of them was made.", "2026-11-20T11:58:03.000Z"),
    whale_last_trade_at: instant(OLD, "2026-11-20T11:58:03.000Z"),
    end_date: instant("When it is to end.", "2026-11-22T18:00:00.000Z"),
    created_at: instant("When the provider made it.", "2026-11-10T09:00:00.000Z"),
    outcome_yes: text("Label of the first outcome.", "Yes"),
    token_id_yes: text("Token of the first outcome, a decimal string.", "1234567890"),
    outcome_no: text("Label of the second of two outcomes.", "No"),
    token_id_no: text("Token of the second of two outcomes, a decimal string.", "1234567891"),
    event_slug: text("Slug of the event it belongs to.", "rain-in-paris"),
    smart_score: figure(
      "Which side money graded S, A or B leans to: the first outcome's share of its dollars less that outcome's price, -1 to 1. Null below $500 and without a price.",
      0.24,
    ),
    smart_count: whole("Wallets graded S, A or B, with known history, that hold either side.", 6),
    smart_label: text("Label of the outcome leaned to; null when the lean is under 10 points.", "Yes"),
    outcome_yes_label: text("Label of the first outcome.", "Yes"),
    outcome_no_label: text("Label of the second of two outcomes.", "No"),
    outcome_yes_provider_id: whole("Null: the provider has no such number.", 1),
    outcome_no_provider_id: whole("Null: the provider has no such number.", 2),
    open_interest: figure("Null: not read from the provider.", 50000),
    oi_change_pct: figure("Null: not read from the provider.", 1.5),
    price_points: points("the first outcome"),
    no_price_points: points("the second outcome"),
    last_price: figure("Last trade price of the first outcome, 0 to 1; the provider's own price before its first trade.", 0.62),
    no_last_price: figure("The same of the second outcome.", 0.38),
    change_pct_24h: figure("Change of last_price in 24 hours, percent. Null when the price then is not known.", 6.89),
    no_change_pct_24h: figure("The same of the second outcome.", -9.52),
    discover_score: figure("How much there is to discover, 0 to 5: the hot sort. Only on the market that represents its entry.", 2.75),
    score_components: ScoreComponents.optional(),
    freshness: z
      .object({
        enrichment_status: Availability.meta({ description: "Whether the provider's own market has been read.", examples: ["available"] }),
        price_status: Availability.meta({ description: "Whether last_price is known.", examples: ["available"] }),
      })
      .meta({ description: "What of the market is known." }),
  })
  .meta({ id: "ExploreMarket", description: "A market with what says whether to look at it." });

const ExploreGroup = z
  .object({
    type: z.literal("group").meta({ description: "An event with several markets." }),
    event_slug: z.string().meta({ description: "The event's slug.", examples: ["rain-in-paris"] }),
    parent_title: z.string().meta({ description: "The event's title.", examples: ["Rain in Paris"] }),
    image: text("Address of the event's picture.", "https://images.example.com/paris.png"),
    platform: Platform,
    category: text("Category of the market that represents it, or its own.", "Science & Tech"),
    markets: z.array(ExploreMarket).max(12).meta({ description: "By volume, then condition id; the first one represents the event." }),
    rep_volume: figure("Volume of the market that represents it, in US dollars.", 120450.25),
    rep_large_trades: whole("Large trades in that market.", 14),
    rep_whales: whole(OLD, 14),
  })
  .meta({ id: "ExploreGroup", description: "An event with several markets." });

const ExploreStandalone = z
  .object({ type: z.literal("standalone").meta({ description: "A market that stands alone." }), market: ExploreMarket })
  .meta({ id: "ExploreStandalone", description: "A market that stands alone." });

export const ExploreEntry = z.discriminatedUnion("type", [ExploreGroup, ExploreStandalone]).meta({ id: "ExploreEntry" });

const FacetValue = z
  .object({
    value: z.string().meta({ description: "What to filter by.", examples: ["Politics"] }),
    label: z.string().meta({ description: "What to show.", examples: ["Politics"] }),
    count: z.int().meta({ description: "Entries of the whole list that have it.", examples: [120] }),
  })
  .meta({ id: "ExploreFacetValue", description: "A value to filter by." });

export const ExploreFacets = z
  .object({
    categories: z.array(FacetValue).meta({ description: "The most frequent first." }),
    platforms: z.array(FacetValue).meta({ description: "Platforms with markets in the list." }),
  })
  .meta({ id: "ExploreFacets", description: "What the whole list can be filtered by, whatever the filters of this request." });
