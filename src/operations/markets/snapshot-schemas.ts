import { z } from "zod";
import { TrustMetadata } from "../trust.ts";

const text = (description: string, example: string | null) => z.string().nullable().meta({ description, example });
const instant = (description: string, example: string) => z.iso.datetime().nullable().meta({ description, example });
const usd = (description: string, example: number | null) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}, in dollars of two decimals; null when the provider gave none.`, example });
const price = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${description}, dollars a share, cut to four decimals.`, example });
const source = z.string().meta({ description: "Where it was read.", example: "clob_book" });
const reason = z.string().optional().meta({ description: "Why it is not there, or not fresh.", example: "no quotes" });

const TopOfBook = z
  .object({
    status: z
      .enum(["available", "unavailable"])
      .meta({ description: "unavailable when there is no quote on either side.", example: "available" }),
    source,
    best_bid: price("Best price to sell at; left out without one", 0.54).optional(),
    best_ask: price("Best price to buy at; left out without one", 0.56).optional(),
    spread_bps: z
      .int()
      .optional()
      .meta({ description: "The gap between both over their midpoint, in basis points; left out without both.", example: 364 }),
    bid_depth_usdc: z.number().optional().meta({ description: "Dollars resting at the best bid.", example: 100.99 }),
    ask_depth_usdc: z.number().optional().meta({ description: "Dollars resting at the best ask.", example: 50 }),
    reason,
  })
  .meta({ id: "MarketSnapshotTopOfBook" });

const Freshness = z
  .object({
    status: z
      .enum(["fresh", "stale", "available", "not_live", "unavailable"])
      .meta({ description: "stale once as_of is more than stale_after_s ago.", example: "fresh" }),
    source,
    as_of: z.iso.datetime().optional().meta({ description: "When it was read.", example: "2026-11-20T12:05:00.000Z" }),
    stale_after_s: z.int().optional().meta({ description: "Seconds for which it counts as fresh.", example: 120 }),
    reason,
  })
  .meta({ id: "MarketSnapshotFreshness" });

const Market = z.object({
  id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
  condition_id: z.string().meta({ description: "The provider's id of the market.", example: `0x${"7".repeat(64)}` }),
  provider: z.string().meta({ description: "Where it is traded.", example: "polymarket" }),
  title: text("Null while the provider's market has not been read.", "Will it rain?"),
  slug: text("The provider's name in addresses.", "will-it-rain"),
  page_slug: text("The same name, for links to the market's page.", "will-it-rain"),
  event_slug: text("That of its event.", "rain"),
  category: text("Our category; null when the provider's tags name none.", "Politics"),
  status: z
    .enum(["active", "closed"])
    .meta({ description: "closed once trading has closed or the market has resolved.", example: "active" }),
  description: text("The provider's rules.", "Resolves Yes if it rains."),
  image: text("Address of its picture.", "https://images.test/market.png"),
  series_slug: text("The league or series; never the single match.", "premier-league"),
  market_type: text("The provider's kind of market.", "moneyline"),
  market_result: text("The winner's label, or each payout when it was split; null while unresolved.", null),
  created_at: instant("When the provider made it.", "2026-10-01T00:00:00.000Z"),
  end_date: instant("When trading is to end.", "2026-12-31T00:00:00.000Z"),
  resolved_at: instant("When it resolved; null before, and when the provider gives no time.", "2026-12-31T12:00:00.000Z"),
});

const Outcome = z.object({
  side: z.enum(["yes", "no"]).meta({ description: "The first outcome is yes, the second no.", example: "yes" }),
  label: z.string().meta({ description: "The provider's name of the outcome; Yes or No while it is not known.", example: "Lakers" }),
  token_id: z.string().optional().meta({ description: "Its token.", example: "1000001" }),
  current_price: price(
    "Midpoint of best bid and ask when they are at most 0.10 apart, else the last trade's price; left out when there is neither",
    0.55,
  ).optional(),
  top_of_book: TopOfBook,
});

export const MarketSnapshot = z
  .object({
    market: Market,
    outcomes: z.array(Outcome).meta({ description: "Empty until the tokens are known, and for a market of more than two outcomes." }),
    liquidity: z.object({
      source: z.string().meta({ description: "Where the figures were read.", example: "gamma_market" }),
      volume_usd: usd("All that was ever traded", 1_234.56),
      liquidity_usd: usd("What rests in the books", 99.99),
      volume_24h_usd: usd("Traded in 24 hours", 10.25),
      last_price: z.number().nullable().meta({ description: "Always null: prices stand with their outcomes.", example: null }),
    }),
    sports: z.object({
      status: z.enum(["fresh", "stale", "not_live", "unavailable"]).meta({ description: "Of the live score.", example: "unavailable" }),
      source: z.string().meta({ description: "Where it was read; none without one.", example: "none" }),
      reason,
    }),
    freshness: z.object({ market_data: Freshness, top_of_book: Freshness, live_sports: Freshness }),
    trust: z.object({ current_price: TrustMetadata, spread_bps: TrustMetadata }).optional().meta({
      id: "MarketSnapshotTrust",
      description: "With expand=trust: of both outcomes together, partial when only one has the value.",
    }),
  })
  .meta({ id: "MarketSnapshot" });
