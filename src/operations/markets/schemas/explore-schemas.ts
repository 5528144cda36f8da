import { z } from "zod";
import { conditionId, marketId, nullablePlatform } from "../../shared-fields.ts";

const nullableText = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });
const nullableNumber = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });
const nullableInt = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });
const nullableInstant = (description: string, example: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description, examples: [example] });
const points = (side: string) =>
  z
    .array(z.tuple([z.number(), z.number()]))
    .nullable()
    .meta({
      description:
        `Up to seven pairs for ${side}, oldest first: the start of a UTC day with a trade in Unix seconds, and the ` +
        "last price of the day in dollars per share. Null when no price is known.",
      examples: [
        [
          [1795046400, 0.58],
          [1795132800, 0.62],
        ],
      ],
    });
const Platform = nullablePlatform;
const Availability = z.enum(["available", "unavailable"]);
const OLD_NAME = "The same figure under its old name.";

const signal = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description} From 0 to 1; null when unknown.`, examples: [example] });

const ScoreComponents = z
  .object({
    volume_signal: signal("All-time volume in dollars on a logarithmic scale, 1 at $10,000,000 or more.", 0.61),
    large_trade_signal: signal("Number of large trades on a logarithmic scale, 1 at 100 or more.", 0.5),
    whale_signal: signal(OLD_NAME, 0.5),
    liquidity_signal: signal("Liquidity in dollars on a logarithmic scale, 1 at $1,000,000 or more.", 0.44),
    recency_signal: signal("1 at the time of the newest large trade, halved every 24 hours.", 0.9),
    sharp_money_signal: signal(
      "Absolute net flow in dollars of traders graded S, A and B over 24 hours on a logarithmic " +
        "scale, 1 at $1,000,000 or more.",
      0.3,
    ),
    smart_money_signal: signal(OLD_NAME, 0.3).meta({ deprecated: true }),
    price_move_signal: signal(
      "Absolute price change in 24 hours, 1 at 20 points or more. Not part of discover_score.",
      0.2,
    ),
    missing_price_penalty: z
      .number()
      .meta({ description: "Points subtracted from discover_score: 0.5 without a price, otherwise 0.", examples: [0] }),
  })
  .meta({ description: "Components of discover_score. Left out on markets that do not represent their entry." });

export const ExploreMarket = z
  .object({
    id: marketId,
    condition_id: conditionId,
    title: z
      .string()
      .min(1)
      .meta({ description: "The market's question.", examples: ["Will it rain in Paris on Sunday?"] }),
    slug: nullableText("The provider's URL slug; null while unknown.", "rain-in-paris-on-sunday"),
    url_slug: nullableText(
      "URL slug for links to the page of the market; null while unknown.",
      "rain-in-paris-on-sunday",
    ),
    image: nullableText("URL of the picture; null when there is none.", "https://images.example.com/rain.png"),
    icon: nullableText("URL of the icon; null when there is none.", "https://images.example.com/rain-icon.png"),
    category: nullableText("Market category; null when the provider's tags match no category.", "Science & Tech"),
    platform: Platform,
    status: z.enum(["active", "closed"]).meta({
      description:
        "active: the market is trading. closed: trading has closed, the market has resolved, or its end time has " +
        "passed without later quotes.",
      examples: ["active"],
    }),
    volume: nullableNumber("All-time volume in dollars as last given by the provider; null when not given.", 120450.25),
    liquidity: nullableNumber(
      "Dollars in open orders of the books as last given by the provider; null when not given.",
      9800.5,
    ),
    large_trade_count: nullableInt(
      "Number of large trades detected in the market; null when they were not counted.",
      14,
    ),
    whale_trade_count: nullableInt(OLD_NAME, 14),
    large_trade_distinct_wallets: nullableInt(
      "Number of traders who made those large trades; null when they were not counted.",
      9,
    ),
    whale_distinct_wallets: nullableInt(OLD_NAME, 9),
    large_trade_total_usd: nullableNumber(
      "Total of those large trades in dollars; null when they were not counted.",
      182400.1,
    ),
    whale_total_usd: nullableNumber(OLD_NAME, 182400.1),
    large_trade_last_at: nullableInstant(
      "Time of the newest large trade, UTC; null when there is none.",
      "2026-11-20T11:58:03.000Z",
    ),
    whale_last_trade_at: nullableInstant(OLD_NAME, "2026-11-20T11:58:03.000Z"),
    end_date: nullableInstant("Scheduled end of trading, UTC; null while unknown.", "2026-11-22T18:00:00.000Z"),
    created_at: nullableInstant(
      "When the provider created the market, UTC; null while unknown.",
      "2026-11-10T09:00:00.000Z",
    ),
    outcome_yes: nullableText("Label of the first outcome; null while unknown.", "Yes"),
    token_id_yes: nullableText("Token id of the first outcome, a decimal string; null while unknown.", "1234567890"),
    outcome_no: nullableText(
      "Label of the second outcome; null while unknown, and in markets with more than two outcomes.",
      "No",
    ),
    token_id_no: nullableText(
      "Token id of the second outcome, a decimal string; null while unknown, and in markets " +
        "with more than two outcomes.",
      "1234567891",
    ),
    event_slug: nullableText("The provider's URL slug of the event; null when there is none.", "rain-in-paris"),
    smart_score: nullableNumber(
      "Lean of the traders graded S, A or B, from -1 to 1: the fraction of their dollars on the " +
        "first outcome minus the price of that outcome. 0.24 means 24 points above the price. Null " +
        "below $500 and without a price.",
      0.24,
    ),
    smart_count: nullableInt(
      "Number of traders graded S, A or B, with known history, who hold either side; null when unknown.",
      6,
    ),
    smart_label: nullableText(
      "Label of the outcome that smart_score leans to; null when the lean is below 10 points or unknown.",
      "Yes",
    ),
    outcome_yes_label: nullableText("The value of outcome_yes under another name.", "Yes"),
    outcome_no_label: nullableText("The value of outcome_no under another name.", "No"),
    outcome_yes_provider_id: z
      .int()
      .nullable()
      .meta({ description: "Always null: the provider has no such number.", examples: [null] }),
    outcome_no_provider_id: z
      .int()
      .nullable()
      .meta({ description: "Always null: the provider has no such number.", examples: [null] }),
    open_interest: z
      .number()
      .nullable()
      .meta({
        description: "Open interest in dollars. Always null: it is not read from the provider.",
        examples: [null],
      }),
    oi_change_pct: z
      .number()
      .nullable()
      .meta({
        description: "Change of the open interest in percent. Always null: it is not read from the provider.",
        examples: [null],
      }),
    price_points: points("the first outcome"),
    no_price_points: points("the second outcome"),
    last_price: nullableNumber(
      "Current price of the first outcome in dollars per share, 0 to 1, as in the market snapshot: the payout " +
        "once resolved; otherwise the midpoint of best bid and ask when they are at most 0.10 apart; otherwise the " +
        "last trade. Null when there is none of them.",
      0.62,
    ),
    no_last_price: nullableNumber(
      "Current price of the second outcome in dollars per share, 0 to 1; also null in markets " +
        "with more than two outcomes.",
      0.38,
    ),
    change_pct_24h: nullableNumber(
      "Change of last_price within 24 hours, in percent of the price 24 hours ago. Null when that price is unknown.",
      6.89,
    ),
    no_change_pct_24h: nullableNumber(
      "Change of no_last_price within 24 hours, in percent of the price 24 hours ago. Null when that price is unknown.",
      -9.52,
    ),
    discover_score: nullableNumber(
      "Score of the entry in points, 0 to 5, and the order of sort=hot. Null on markets that do " +
        "not represent their entry.",
      2.75,
    ),
    score_components: ScoreComponents.optional(),
    freshness: z
      .object({
        enrichment_status: Availability.meta({
          description: "Whether the market has been read from the provider.",
          examples: ["available"],
        }),
        price_status: Availability.meta({ description: "Whether last_price is known.", examples: ["available"] }),
      })
      .meta({ description: "Availability of the data of the market." }),
  })
  .meta({ id: "ExploreMarket", description: "One market with the figures to rank it." });

const ExploreGroup = z
  .object({
    type: z.literal("group").meta({ description: "Kind of the entry." }),
    event_slug: z.string().meta({ description: "The provider's URL slug of the event.", examples: ["rain-in-paris"] }),
    parent_title: z.string().meta({ description: "Title of the event.", examples: ["Rain in Paris"] }),
    image: nullableText(
      "URL of the picture of the event; null when there is none.",
      "https://images.example.com/paris.png",
    ),
    platform: Platform,
    category: nullableText(
      "Category of the representative market, or of the event; null when neither is known.",
      "Science & Tech",
    ),
    markets: z
      .array(ExploreMarket)
      .max(12)
      .meta({ description: "Markets by volume, then by condition id; the first market represents the event." }),
    rep_volume: nullableNumber(
      "All-time volume of the representative market in dollars; null when unknown.",
      120450.25,
    ),
    rep_large_trades: nullableInt(
      "Number of large trades in the representative market; null when they were not counted.",
      14,
    ),
    rep_whales: nullableInt(OLD_NAME, 14),
  })
  .meta({ id: "ExploreGroup", description: "An event with several markets." });

const ExploreStandalone = z
  .object({
    type: z.literal("standalone").meta({ description: "Kind of the entry." }),
    market: ExploreMarket,
  })
  .meta({ id: "ExploreStandalone", description: "A standalone market." });

export const ExploreEntry = z
  .discriminatedUnion("type", [ExploreGroup, ExploreStandalone])
  .meta({ id: "ExploreEntry", description: "An event with several markets, or a standalone market." });

const FacetValue = z
  .object({
    value: z.string().meta({ description: "Value to send as the filter.", examples: ["Politics"] }),
    label: z.string().meta({ description: "Label to display.", examples: ["Politics"] }),
    count: z.int().meta({ description: "Number of entries in the whole list with this value.", examples: [120] }),
  })
  .meta({ id: "ExploreFacetValue", description: "One filter value." });

export const ExploreFacets = z
  .object({
    categories: z.array(FacetValue).meta({ description: "Categories with entries, the most frequent first." }),
    platforms: z.array(FacetValue).meta({ description: "Platforms with markets in the list." }),
  })
  .meta({
    id: "ExploreFacets",
    description: "Filter values of the whole list, independent of the filters of this request.",
  });
