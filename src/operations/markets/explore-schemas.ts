import { z } from "zod";
import { conditionId, marketId, platformOrNull } from "../fields.ts";

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
      description: `Up to seven pairs for ${side}, oldest first: the start of a UTC day with a trade in Unix seconds, and the day's last price in dollars a share. Null when none is known.`,
      examples: [
        [
          [1795046400, 0.58],
          [1795132800, 0.62],
        ],
      ],
    });
const Platform = platformOrNull;
const Availability = z.enum(["available", "unavailable"]);
const OLD = "The same figure under its old name.";

const signal = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description} From 0 to 1; null when it is not known.`, examples: [example] });

const ScoreComponents = z
  .object({
    volume_signal: signal("Dollars of volume of all time on a logarithmic scale, 1 from $10,000,000 on.", 0.61),
    large_trade_signal: signal("Number of large trades on a logarithmic scale, 1 from 100 on.", 0.5),
    whale_signal: signal(OLD, 0.5),
    liquidity_signal: signal("Dollars of liquidity on a logarithmic scale, 1 from $1,000,000 on.", 0.44),
    recency_signal: signal("1 at the newest large trade, halved every 24 hours.", 0.9),
    sharp_money_signal: signal(
      "Size in dollars of the net flow of S, A and B wallets over 24 hours on a logarithmic scale, 1 from $1,000,000 on.",
      0.3,
    ),
    smart_money_signal: signal(OLD, 0.3).meta({ deprecated: true }),
    price_move_signal: signal("Size of the price's move in 24 hours, 1 from 20 points on. No part of discover_score.", 0.2),
    missing_price_penalty: z.number().meta({ description: "Points taken off discover_score: 0.5 without a price, else 0.", examples: [0] }),
  })
  .meta({ description: "What discover_score is the sum of. Left out on markets that do not represent their entry." });

export const ExploreMarket = z
  .object({
    id: marketId,
    condition_id: conditionId,
    title: z
      .string()
      .min(1)
      .meta({ description: "The market's question.", examples: ["Will it rain in Paris on Sunday?"] }),
    slug: text("The provider's name in addresses; null while unknown.", "rain-in-paris-on-sunday"),
    url_slug: text("The same, for links to its page; null while unknown.", "rain-in-paris-on-sunday"),
    image: text("Address of its picture; null without one.", "https://images.example.com/rain.png"),
    icon: text("Address of its icon; null without one.", "https://images.example.com/rain-icon.png"),
    category: text("Our category; null when the provider's tags name none.", "Science & Tech"),
    platform: Platform,
    status: z.enum(["active", "closed"]).meta({
      description:
        "active while it is traded; closed once trading has closed, the market has resolved, or its end has come and no quotes from after it are known.",
      examples: ["active"],
    }),
    volume: figure("Dollars traded of all time, as the provider last said; null when it gave none.", 120450.25),
    liquidity: figure("Dollars resting in its books, as the provider last said; null when it gave none.", 9800.5),
    large_trade_count: whole("Large trades detected in it; null when they were not counted.", 14),
    whale_trade_count: whole(OLD, 14),
    large_trade_distinct_wallets: whole("Wallets that made those; null when they were not counted.", 9),
    whale_distinct_wallets: whole(OLD, 9),
    large_trade_total_usd: figure("Dollars those come to; null when they were not counted.", 182400.1),
    whale_total_usd: figure(OLD, 182400.1),
    large_trade_last_at: instant("When the newest of those was made, UTC; null without one.", "2026-11-20T11:58:03.000Z"),
    whale_last_trade_at: instant(OLD, "2026-11-20T11:58:03.000Z"),
    end_date: instant("When trading is to end, UTC; null while unknown.", "2026-11-22T18:00:00.000Z"),
    created_at: instant("When the provider made it, UTC; null while unknown.", "2026-11-10T09:00:00.000Z"),
    outcome_yes: text("Name of the first outcome; null while unknown.", "Yes"),
    token_id_yes: text("Token of the first outcome, a decimal text; null while unknown.", "1234567890"),
    outcome_no: text("Name of the second outcome; null while unknown, and in markets of more than two.", "No"),
    token_id_no: text("Token of the second outcome, a decimal text; null while unknown, and in markets of more than two.", "1234567891"),
    event_slug: text("Name in addresses of the event it belongs to; null without one.", "rain-in-paris"),
    smart_score: figure(
      "Which side money graded S, A or B leans to: the first outcome's share of its dollars less that outcome's price, from -1 to 1: 0.24 is 24 points more than the price. Null below $500 and without a price.",
      0.24,
    ),
    smart_count: whole("Wallets graded S, A or B, with known history, that hold either side; null when that is not known.", 6),
    smart_label: text("Name of the outcome leaned to; null when the lean is under 10 points or not known.", "Yes"),
    outcome_yes_label: text("The value of outcome_yes under another name.", "Yes"),
    outcome_no_label: text("The value of outcome_no under another name.", "No"),
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
      .meta({ description: "Dollars of open interest. Always null: it is not read from the provider.", examples: [null] }),
    oi_change_pct: z
      .number()
      .nullable()
      .meta({ description: "Percent it has changed. Always null: it is not read from the provider.", examples: [null] }),
    price_points: points("the first outcome"),
    no_price_points: points("the second outcome"),
    last_price: figure(
      "Dollars a share, 0 to 1: the first outcome's current price, as in the market's snapshot: its payout once resolved; else the midpoint of best bid and ask when they are at most 0.10 apart; else the last trade. Null when there is neither.",
      0.62,
    ),
    no_last_price: figure("Dollars a share, 0 to 1: the same of the second outcome; null too in markets of more than two.", 0.38),
    change_pct_24h: figure("Change of last_price in 24 hours, in percent of the price then. Null when that is not known.", 6.89),
    no_change_pct_24h: figure("Change of no_last_price in 24 hours, in percent of the price then. Null when that is not known.", -9.52),
    discover_score: figure(
      "Points for how much there is to discover, 0 to 5: the order of sort=hot. Null on markets that do not represent their entry.",
      2.75,
    ),
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
    type: z.literal("group").meta({ description: "Tells the two kinds of entry apart." }),
    event_slug: z.string().meta({ description: "The event's name in addresses.", examples: ["rain-in-paris"] }),
    parent_title: z.string().meta({ description: "The event's title.", examples: ["Rain in Paris"] }),
    image: text("Address of the event's picture; null without one.", "https://images.example.com/paris.png"),
    platform: Platform,
    category: text("Category of the market that represents it, or its own; null when neither is known.", "Science & Tech"),
    markets: z.array(ExploreMarket).max(12).meta({ description: "By volume, then condition id; the first one represents the event." }),
    rep_volume: figure("Dollars traded of all time in the market that represents it; null when not known.", 120450.25),
    rep_large_trades: whole("Large trades in that market; null when they were not counted.", 14),
    rep_whales: whole(OLD, 14),
  })
  .meta({ id: "ExploreGroup", description: "An event with several markets." });

const ExploreStandalone = z
  .object({ type: z.literal("standalone").meta({ description: "Tells the two kinds of entry apart." }), market: ExploreMarket })
  .meta({ id: "ExploreStandalone", description: "A market that stands alone." });

export const ExploreEntry = z
  .discriminatedUnion("type", [ExploreGroup, ExploreStandalone])
  .meta({ id: "ExploreEntry", description: "An event with several markets, or a market that stands alone." });

const FacetValue = z
  .object({
    value: z.string().meta({ description: "What to filter by.", examples: ["Politics"] }),
    label: z.string().meta({ description: "What to show.", examples: ["Politics"] }),
    count: z.int().meta({ description: "Entries of the whole list that have it.", examples: [120] }),
  })
  .meta({ id: "ExploreFacetValue", description: "A value to filter by." });

export const ExploreFacets = z
  .object({
    categories: z.array(FacetValue).meta({ description: "Categories with entries, the most frequent first." }),
    platforms: z.array(FacetValue).meta({ description: "Platforms with markets in the list." }),
  })
  .meta({ id: "ExploreFacets", description: "What the whole list can be filtered by, whatever the filters of this request." });
