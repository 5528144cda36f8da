import { z } from "zod";
import { TrustMetadata } from "../trust.ts";
import { SNAPSHOT_EXAMPLE } from "./snapshot-example.ts";
import { conditionId, marketId } from "../fields.ts";

const text = (description: string, example: string | null) => z.string().nullable().meta({ description, example });
const instant = (description: string, example: string) => z.iso.datetime().nullable().meta({ description, example });
const usd = (description: string, example: number | null) =>
  z
    .number()
    .nullable()
    .meta({ description: `Dollars ${description}, as the provider last said; null when it gave none.`, example });
const price = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `Dollars a share, 0 to 1: ${description}.`, example });
const source = z
  .string()
  .meta({ description: "Where it was read: clob_book is the order book, gamma_market the provider's market.", example: "clob_book" });
const reason = z
  .string()
  .optional()
  .meta({ description: "Why it is not there, or not fresh, in words. Left out when it is both.", example: "no quotes" });

const TopOfBook = z
  .object({
    status: z
      .enum(["available", "unavailable"])
      .meta({ description: "unavailable when there is no quote on either side.", example: "available" }),
    source,
    best_bid: price("the best price to sell at; left out without one", 0.54).optional(),
    best_ask: price("the best price to buy at; left out without one", 0.56).optional(),
    spread_bps: z.int().optional().meta({
      description: "The gap between both over their midpoint, in basis points (364 is 3.64 percent); left out without both.",
      example: 364,
    }),
    bid_depth_usdc: z
      .number()
      .optional()
      .meta({ description: "Dollars resting at the best bid; left out when not read.", example: 100.99 }),
    ask_depth_usdc: z.number().optional().meta({ description: "Dollars resting at the best ask; left out when not read.", example: 50 }),
    reason,
  })
  .meta({ id: "MarketSnapshotTopOfBook", description: "The best quotes of one outcome." });

const Freshness = z
  .object({
    status: z.enum(["fresh", "stale", "available", "not_live", "unavailable"]).meta({
      description:
        "fresh: read within stale_after_s. stale: longer ago, or before the result that is awaited. available: there, without a clock. not_live: final, because the market has resolved. unavailable: not there.",
      example: "fresh",
    }),
    source,
    as_of: z.iso
      .datetime()
      .optional()
      .meta({ description: "When it was read, UTC; left out when it was not.", example: "2026-11-20T12:05:00.000Z" }),
    stale_after_s: z
      .int()
      .optional()
      .meta({ description: "Seconds for which it counts as fresh; left out without a clock.", example: 120 }),
    reason,
  })
  .meta({ id: "MarketSnapshotFreshness", description: "How old one part of the snapshot is." });

const Market = z.object({
  id: marketId,
  condition_id: conditionId,
  provider: z.string().meta({ description: "Where it is traded.", example: "polymarket" }),
  title: text("The market's question; null while the provider's market has not been read.", "Will it rain?"),
  slug: text("The provider's name in addresses; null while unknown.", "will-it-rain"),
  page_slug: text("The same, for links to the market's page; null while unknown.", "will-it-rain"),
  event_slug: text("The same of its event; null without one.", "rain"),
  category: text("Our category; null when the provider's tags name none.", "Politics"),
  status: z.enum(["active", "closed"]).meta({
    description:
      "active while it is traded; closed once trading has closed, the market has resolved, or its end has come and no quotes from after it are known.",
    example: "active",
  }),
  description: text("The provider's rules for its result; null while unknown.", "Resolves Yes if it rains."),
  image: text("Address of its picture; null without one.", "https://images.test/market.png"),
  series_slug: text("Name in addresses of its league or series, never of the single match; null without one.", "premier-league"),
  market_type: text("The provider's kind of market; null when it gave none.", "moneyline"),
  market_result: text("Name of the winning outcome, or each payout in percent when it was split; null while unresolved.", null),
  created_at: instant("When the provider made it, UTC; null while unknown.", "2026-10-01T00:00:00.000Z"),
  end_date: instant("When trading is to end, UTC; null while unknown.", "2026-12-31T00:00:00.000Z"),
  resolved_at: instant("When it resolved, UTC; null before, and when the provider gives no time.", "2026-12-31T12:00:00.000Z"),
});

const Outcome = z.object({
  side: z.enum(["yes", "no"]).meta({ description: "The first outcome is yes, the second no.", example: "yes" }),
  label: z.string().meta({ description: "The provider's name of the outcome; Yes or No while it is not known.", example: "Lakers" }),
  token_id: z.string().optional().meta({ description: "Its token, a decimal text; left out while unknown.", example: "1000001" }),
  current_price: price(
    "its payout once the market has resolved; else the midpoint of best bid and ask when they are at most 0.10 apart; else the last trade's price; left out when there is none. Where the exact prices of both outcomes are a dollar, they are so as shown",
    0.55,
  ).optional(),
  top_of_book: TopOfBook,
});

export const MarketSnapshot = z
  .object({
    market: Market.meta({ description: "What the provider says of the market." }),
    outcomes: z
      .array(Outcome)
      .meta({ description: "yes, then no. Empty until the tokens are known, and for a market of more than two outcomes." }),
    liquidity: z
      .object({
        source: z
          .string()
          .meta({ description: "Where the figures were read: gamma_market is the provider's market.", example: "gamma_market" }),
        volume_usd: usd("traded of all time", 1_234.56),
        liquidity_usd: usd("resting in the books", 99.99),
        volume_24h_usd: usd("traded in 24 hours", 10.25),
        last_price: z
          .number()
          .nullable()
          .meta({ description: "Dollars a share. Always null: prices stand with their outcomes.", example: null }),
      })
      .meta({ description: "How much is traded." }),
    sports: z
      .object({
        status: z
          .enum(["fresh", "stale", "not_live", "unavailable"])
          .meta({ description: "Of the live score. Always unavailable: live scores are not covered.", example: "unavailable" }),
        source: z.string().meta({ description: "Where it was read; none without one.", example: "none" }),
        reason,
      })
      .meta({ description: "Whether there is a live score." }),
    freshness: z
      .object({
        market_data: Freshness.meta({ description: "Of market and liquidity." }),
        top_of_book: Freshness.meta({ description: "Of the quotes: those of the outcome that goes stale first." }),
        live_sports: Freshness.meta({ description: "Of the live score." }),
      })
      .meta({ description: "How old each part is." }),
    trust: z.object({ current_price: TrustMetadata, spread_bps: TrustMetadata }).optional().meta({
      id: "MarketSnapshotTrust",
      description: "With expand=trust: of both outcomes together, partial when only one has the value.",
    }),
  })
  .meta({
    id: "MarketSnapshot",
    description: "One market with its outcomes' prices, as they were last read.",
    examples: [SNAPSHOT_EXAMPLE],
  });
