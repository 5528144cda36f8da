import type { z } from "zod";
import { formatId } from "../../domain/ids.ts";
import { presentDecimal, presentUsd } from "../../domain/money.ts";
import type { ExploreMarketRow, ExploreRow } from "../../queries/markets.ts";
import type { ExploreEntry, ExploreMarket } from "./schemas.ts";

export function presentExploreEntry(row: ExploreRow): z.input<typeof ExploreEntry> {
  const markets = row.markets.map((market) =>
    presentMarket(market, market.id === row.representative_id ? presentDecimal(row.discover_score, 2) : null),
  );
  const [first] = markets;
  if (first === undefined) throw new Error(`the explore entry ${row.id} has no market`);
  if (row.event_slug === null) return { type: "standalone", market: first };
  return {
    type: "group",
    event_slug: row.event_slug,
    parent_title: row.event_title ?? first.title,
    image: row.event_image,
    platform: "polymarket",
    category: row.category,
    markets,
    rep_volume: presentDecimal(row.volume_usd, 2),
    rep_large_trades: row.large_trade_count,
    rep_whales: row.large_trade_count,
  };
}

/** @param discoverScore the entry's score, which its representative market carries */
function presentMarket(row: ExploreMarketRow, discoverScore: number | null): z.input<typeof ExploreMarket> {
  const yes = row.outcomes.find((outcome) => outcome.index === 0);
  const no = row.outcomes.length === 2 ? row.outcomes.find((outcome) => outcome.index === 1) : undefined;
  const priceOf = (outcome: typeof yes) => presentDecimal(outcome?.last_trade_price ?? outcome?.price ?? null, 4);
  const totalUsd = presentUsd(row.large_trade_usd_micro);
  const lastPrice = priceOf(yes);
  return {
    id: formatId("market", row.id),
    condition_id: row.condition_id,
    title: row.title,
    slug: row.slug,
    url_slug: row.slug,
    image: row.image,
    icon: row.icon,
    category: row.category,
    platform: "polymarket",
    status: row.over ? "closed" : "active",
    volume: presentDecimal(row.volume_usd, 2),
    liquidity: presentDecimal(row.liquidity_usd, 2),
    large_trade_count: row.large_trade_count,
    whale_trade_count: row.large_trade_count,
    large_trade_distinct_wallets: row.large_trade_wallets,
    whale_distinct_wallets: row.large_trade_wallets,
    large_trade_total_usd: totalUsd,
    whale_total_usd: totalUsd,
    large_trade_last_at: row.large_trade_last_at,
    whale_last_trade_at: row.large_trade_last_at,
    end_date: row.end_at,
    created_at: row.created_at,
    outcome_yes: yes?.label ?? null,
    token_id_yes: yes?.token_id ?? null,
    outcome_no: no?.label ?? null,
    token_id_no: no?.token_id ?? null,
    event_slug: row.event_slug,
    smart_score: null,
    smart_count: null,
    smart_label: null,
    outcome_yes_label: yes?.label ?? null,
    outcome_no_label: no?.label ?? null,
    outcome_yes_provider_id: null,
    outcome_no_provider_id: null,
    open_interest: null,
    oi_change_pct: null,
    price_points: null,
    no_price_points: null,
    last_price: lastPrice,
    no_last_price: priceOf(no),
    change_pct_24h: null,
    no_change_pct_24h: null,
    discover_score: discoverScore,
    freshness: {
      enrichment_status: row.hydrated ? "available" : "unavailable",
      price_status: lastPrice === null ? "unavailable" : "available",
    },
  };
}
