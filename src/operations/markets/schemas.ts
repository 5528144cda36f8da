import { z } from "zod";
import { TrustMetadata } from "../trust.ts";

const Status = z.enum(["active", "closed"]).meta({ description: "closed once trading has closed or the market has resolved." });
const text = () => z.string().nullable();
const figure = () => z.number().nullable();
const whole = () => z.int().nullable();
const instant = () => z.iso.datetime().nullable();
const pairs = () => z.array(z.tuple([z.number(), z.number()])).nullable();

export const MarketSearchResult = z
  .object({
    id: z.string(),
    condition_id: z.string(),
    title: z.string(),
    slug: text(),
    category: text(),
    platform: z.enum(["polymarket"]).nullable(),
    status: Status,
  })
  .meta({ id: "MarketSearchResult" });

export const ExploreMarket = z
  .object({
    id: z.string(),
    condition_id: z.string(),
    title: z.string().min(1),
    slug: text(),
    url_slug: text(),
    image: text(),
    icon: text(),
    category: text(),
    platform: z.enum(["polymarket"]).nullable(),
    status: Status,
    volume: figure(),
    liquidity: figure(),
    large_trade_count: whole(),
    whale_trade_count: whole(),
    large_trade_distinct_wallets: whole(),
    whale_distinct_wallets: whole(),
    large_trade_total_usd: figure(),
    whale_total_usd: figure(),
    large_trade_last_at: instant(),
    whale_last_trade_at: instant(),
    end_date: instant(),
    created_at: instant(),
    outcome_yes: text(),
    token_id_yes: text(),
    outcome_no: text(),
    token_id_no: text(),
    event_slug: text(),
    smart_score: figure(),
    smart_count: whole(),
    smart_label: text(),
    outcome_yes_label: text(),
    outcome_no_label: text(),
    outcome_yes_provider_id: whole(),
    outcome_no_provider_id: whole(),
    open_interest: figure(),
    oi_change_pct: figure(),
    price_points: pairs(),
    no_price_points: pairs(),
    last_price: figure(),
    no_last_price: figure(),
    change_pct_24h: figure(),
    no_change_pct_24h: figure(),
    discover_score: figure(),
    freshness: z.object({
      enrichment_status: z.enum(["available", "unavailable"]),
      price_status: z.enum(["available", "unavailable"]),
    }),
  })
  .meta({ id: "ExploreMarket" });

const ExploreGroup = z
  .object({
    type: z.literal("group"),
    event_slug: z.string(),
    parent_title: z.string(),
    image: text(),
    platform: z.enum(["polymarket"]).nullable(),
    category: text(),
    markets: z.array(ExploreMarket).max(12),
    rep_volume: figure(),
    rep_large_trades: whole(),
    rep_whales: whole(),
  })
  .meta({ id: "ExploreGroup" });

const ExploreStandalone = z.object({ type: z.literal("standalone"), market: ExploreMarket }).meta({ id: "ExploreStandalone" });

export const ExploreEntry = z.discriminatedUnion("type", [ExploreGroup, ExploreStandalone]).meta({ id: "ExploreEntry" });

const FacetValue = z.object({ value: z.string(), label: z.string(), count: z.int() }).meta({ id: "ExploreFacetValue" });

export const ExploreFacets = z.object({ categories: z.array(FacetValue), platforms: z.array(FacetValue) }).meta({ id: "ExploreFacets" });

const TopOfBook = z
  .object({
    status: z.enum(["available", "unavailable"]),
    source: z.string(),
    best_bid: z.number().optional(),
    best_ask: z.number().optional(),
    spread_bps: z.int().optional(),
    bid_depth_usdc: z.number().optional(),
    ask_depth_usdc: z.number().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: "MarketSnapshotTopOfBook" });

const Freshness = z
  .object({
    status: z.enum(["fresh", "stale", "available", "not_live", "unavailable"]),
    source: z.string(),
    as_of: z.iso.datetime().optional(),
    stale_after_s: z.int().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: "MarketSnapshotFreshness" });

export const MarketSnapshot = z
  .object({
    market: z.object({
      id: z.string(),
      condition_id: z.string(),
      provider: z.string(),
      title: text(),
      slug: text(),
      page_slug: text(),
      event_slug: text(),
      category: text(),
      status: Status,
      description: text(),
      image: text(),
      series_slug: text(),
      market_type: text(),
      market_result: text(),
      created_at: instant(),
      end_date: instant(),
      resolved_at: instant(),
    }),
    outcomes: z.array(
      z.object({
        side: z.enum(["yes", "no"]),
        label: z.string(),
        token_id: z.string().optional(),
        current_price: z.number().min(0).max(1).optional(),
        top_of_book: TopOfBook,
      }),
    ),
    liquidity: z.object({
      source: z.string(),
      volume_usd: figure(),
      liquidity_usd: figure(),
      volume_24h_usd: figure(),
      last_price: figure(),
    }),
    sports: z.object({ status: z.enum(["fresh", "stale", "not_live", "unavailable"]), source: z.string(), reason: z.string().optional() }),
    freshness: z.object({ market_data: Freshness, top_of_book: Freshness, live_sports: Freshness }),
    trust: z.object({ current_price: TrustMetadata, spread_bps: TrustMetadata }).optional().meta({ id: "MarketSnapshotTrust" }),
  })
  .meta({ id: "MarketSnapshot" });
