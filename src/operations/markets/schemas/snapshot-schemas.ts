import { z } from "zod";
import { TrustMetadata } from "../../trust.ts";
import { SNAPSHOT_EXAMPLE } from "./snapshot-example.ts";
import { conditionId, marketId } from "../../shared-fields.ts";

const text = (description: string, example: string | null) => z.string().nullable().meta({ description, example });
const instant = (description: string, example: string) => z.iso.datetime().nullable().meta({ description, example });
const usd = (description: string, example: number | null) =>
  z
    .number()
    .nullable()
    .meta({ description: `Dollars ${description}, as last given by the provider; null when not given.`, example });
const price = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `Dollars per share, 0 to 1: ${description}.`, example });
const source = z.string().meta({
  description: "Source of the data: clob_book is the order book, gamma_market is the provider's market record.",
  example: "clob_book",
});
const reason = z.string().optional().meta({
  description: "Why the data is missing or not fresh, as text. Left out when it is available and fresh.",
  example: "no quotes",
});

const TopOfBook = z
  .object({
    status: z.enum(["available", "unavailable"]).meta({
      description: "available: at least one side has a quote. unavailable: neither side has a quote.",
      example: "available",
    }),
    source,
    best_bid: price("best bid, the highest price of a buyer; left out when there is none", 0.54).optional(),
    best_ask: price("best ask, the lowest price of a seller; left out when there is none", 0.56).optional(),
    spread_bps: z.int().optional().meta({
      description:
        "Ask minus bid, divided by their midpoint, in basis points (364 is 3.64 percent); left out unless both exist.",
      example: 364,
    }),
    bid_depth_usdc: z
      .number()
      .optional()
      .meta({ description: "Dollars in orders at the best bid; left out when not read.", example: 100.99 }),
    ask_depth_usdc: z
      .number()
      .optional()
      .meta({ description: "Dollars in orders at the best ask; left out when not read.", example: 50 }),
    reason,
  })
  .meta({ id: "MarketSnapshotTopOfBook", description: "Best quotes of one outcome." });

const Freshness = z
  .object({
    status: z.enum(["fresh", "stale", "available", "not_live", "unavailable"]).meta({
      description:
        "fresh: read within stale_after_s. stale: read earlier, or from before a result that is awaited. " +
        "available: present without a timestamp. not_live: final, because the market has resolved. " +
        "unavailable: not present.",
      example: "fresh",
    }),
    source,
    as_of: z.iso.datetime().optional().meta({
      description: "When the data was read, UTC; left out when it was not read.",
      example: "2026-11-20T12:05:00.000Z",
    }),
    stale_after_s: z
      .int()
      .optional()
      .meta({ description: "Seconds for which the data counts as fresh; left out without a timestamp.", example: 120 }),
    reason,
  })
  .meta({ id: "MarketSnapshotFreshness", description: "Age of one part of the snapshot." });

const Market = z.object({
  id: marketId,
  condition_id: conditionId,
  provider: z.string().meta({ description: "Platform where the market trades.", example: "polymarket" }),
  title: text("The market's question; null until the market is read from the provider.", "Will it rain?"),
  slug: text("The provider's URL slug; null while unknown.", "will-it-rain"),
  page_slug: text("URL slug for links to the page of the market; null while unknown.", "will-it-rain"),
  event_slug: text("The provider's URL slug of the event; null when there is none.", "rain"),
  category: text("Market category; null when the provider's tags match no category.", "Politics"),
  status: z.enum(["active", "closed"]).meta({
    description:
      "active: the market is trading. closed: trading has closed, the market has resolved, or its end time has " +
      "passed without later quotes.",
    example: "active",
  }),
  description: text("The provider's resolution rules; null while unknown.", "Resolves Yes if it rains."),
  image: text("URL of the picture; null when there is none.", "https://images.test/market.png"),
  series_slug: text(
    "URL slug of the league or series, never of a single match; null when there is none.",
    "premier-league",
  ),
  market_type: text("Market type as given by the provider; null when not given.", "moneyline"),
  market_result: text(
    "Label of the winning outcome, or each payout in percent for a split payout; null while unresolved.",
    null,
  ),
  created_at: instant("When the provider created the market, UTC; null while unknown.", "2026-10-01T00:00:00.000Z"),
  end_date: instant("Scheduled end of trading, UTC; null while unknown.", "2026-12-31T00:00:00.000Z"),
  resolved_at: instant(
    "When the market resolved, UTC; null before that, and when the provider gives no time.",
    "2026-12-31T12:00:00.000Z",
  ),
});

const Outcome = z.object({
  side: z.enum(["yes", "no"]).meta({ description: "yes: the first outcome. no: the second outcome.", example: "yes" }),
  label: z
    .string()
    .meta({ description: "The provider's label of the outcome; Yes or No while unknown.", example: "Lakers" }),
  token_id: z
    .string()
    .optional()
    .meta({ description: "Token id of the outcome, a decimal string; left out while unknown.", example: "1000001" }),
  current_price: price(
    "the payout once the market has resolved; otherwise the midpoint of best bid and ask when they are at most " +
      "0.10 apart; otherwise the price of the last trade; left out when there is none. When the exact prices of " +
      "both outcomes add up to one dollar, the shown prices do too",
    0.55,
  ).optional(),
  top_of_book: TopOfBook,
});

export const MarketSnapshot = z
  .object({
    market: Market.meta({ description: "The provider's data about the market." }),
    outcomes: z.array(Outcome).meta({
      description: "yes, then no. Empty until the tokens are known, and for a market with more than two outcomes.",
    }),
    liquidity: z
      .object({
        source: z.string().meta({
          description: "Source of the figures: gamma_market is the provider's market record.",
          example: "gamma_market",
        }),
        volume_usd: usd("of all-time volume", 1_234.56),
        liquidity_usd: usd("in open orders of the books", 99.99),
        volume_24h_usd: usd("of volume within 24 hours", 10.25),
        last_price: z
          .number()
          .nullable()
          .meta({ description: "Dollars per share. Always null: prices are in `outcomes`.", example: null }),
      })
      .meta({ description: "Volume and liquidity." }),
    sports: z
      .object({
        status: z.enum(["fresh", "stale", "not_live", "unavailable"]).meta({
          description: "Status of the live score. Always unavailable: live scores are not covered.",
          example: "unavailable",
        }),
        source: z.string().meta({ description: "Source of the live score; always none.", example: "none" }),
        reason,
      })
      .meta({ description: "Live score of a sports market." }),
    freshness: z
      .object({
        market_data: Freshness.meta({ description: "Freshness of `market` and `liquidity`." }),
        top_of_book: Freshness.meta({
          description: "Freshness of the quotes: that of the outcome that becomes stale first.",
        }),
        live_sports: Freshness.meta({ description: "Freshness of the live score." }),
      })
      .meta({ description: "Age of each part." }),
    trust: z.object({ current_price: TrustMetadata, spread_bps: TrustMetadata }).optional().meta({
      id: "MarketSnapshotTrust",
      description: "With expand=trust: trust of both outcomes together, partial when only one has the value.",
    }),
  })
  .meta({
    id: "MarketSnapshot",
    description: "One market with the last read prices of its outcomes.",
    examples: [SNAPSHOT_EXAMPLE],
  });
