import type { z } from "zod";
import { formatId } from "../../../domain/ids.ts";
import { presentDecimal, presentUsd } from "../../../domain/money.ts";
import { presentPrice, presentSecondPrice } from "../../../domain/markets/present-price.ts";
import { presentFloat } from "../../../domain/present-float.ts";
import type { ExploreMarketRow, ExploreOutcome, ExploreRow } from "../../../queries/markets/explore.ts";
import { priceMoveSignal } from "../../../scoring/signals/explore-score.ts";
import { smartLean } from "../../../scoring/signals/smart-lean.ts";
import type { ExploreEntry, ExploreMarket } from "../schemas/explore-schemas.ts";

type Market = z.input<typeof ExploreMarket>;

export function presentExploreEntry(row: ExploreRow): z.input<typeof ExploreEntry> {
  const markets = row.markets.map((market) => presentMarket(market, row));
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

function presentMarket(row: ExploreMarketRow, entry: ExploreRow): Market {
  const yes = row.outcomes.find((outcome) => outcome.index === 0);
  const no = row.outcomes.length === 2 ? row.outcomes.find((outcome) => outcome.index === 1) : undefined;
  const totalUsd = presentUsd(row.large_trade_usd_micro);
  const lastPrice = presentPrice(yes?.price ?? null);
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
    large_trade_distinct_wallets: row.large_trade_traders,
    whale_distinct_wallets: row.large_trade_traders,
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
    ...presentLean(row, yes, no, entry.cohort_known),
    outcome_yes_label: yes?.label ?? null,
    outcome_no_label: no?.label ?? null,
    outcome_yes_provider_id: null,
    outcome_no_provider_id: null,
    open_interest: null,
    oi_change_pct: null,
    price_points: presentPoints(yes),
    no_price_points: presentPoints(no),
    last_price: lastPrice,
    no_last_price: presentSecondPrice(no?.price ?? null, yes?.price ?? null),
    change_pct_24h: presentChange(yes),
    no_change_pct_24h: presentChange(no),
    ...presentScore(row, yes, entry),
    freshness: {
      enrichment_status: row.hydrated ? "available" : "unavailable",
      price_status: lastPrice === null ? "unavailable" : "available",
    },
  };
}

function presentPoints(outcome: ExploreOutcome | undefined): [number, number][] | null {
  return outcome?.points?.map(([day, close]): [number, number] => [day, presentPrice(close)]) ?? null;
}

/** Change in percent of the price 24 hours ago. Nothing trades at 0, so that price is never 0. */
function presentChange(outcome: ExploreOutcome | undefined): number | null {
  const price = outcome?.price ?? null;
  const before = outcome?.price_24h_ago ?? null;
  if (price === null || before === null || Number(before) === 0) return null;
  return presentFloat((100 * (Number(price) - Number(before))) / Number(before), 2);
}

/**
 * The score of the entry, shown on its representative market only. price_move_signal uses the current price,
 * as change_pct_24h does.
 */
function presentScore(
  row: ExploreMarketRow,
  yes: ExploreOutcome | undefined,
  entry: ExploreRow,
): Pick<Market, "discover_score" | "score_components"> {
  if (row.id !== entry.representative_id) return { discover_score: null };
  const discoverScore = presentDecimal(entry.discover_score, 2);
  if (entry.score_components === null) return { discover_score: discoverScore };
  const { volume, large_trades, liquidity, recency, missing_price_penalty } = entry.score_components;
  // A missing flow is 0 only when the whole day was read; otherwise it is unknown.
  const sharpMoney = entry.score_components.sharp_money ?? (entry.day_known ? 0 : null);
  const signal = (value: number | null) => presentFloat(value, 4);
  const toNumber = (price: string | null | undefined) => (price == null ? null : Number(price));
  return {
    discover_score: discoverScore,
    score_components: {
      volume_signal: signal(volume),
      large_trade_signal: signal(large_trades),
      whale_signal: signal(large_trades),
      liquidity_signal: signal(liquidity),
      recency_signal: signal(recency),
      sharp_money_signal: signal(sharpMoney),
      smart_money_signal: signal(sharpMoney),
      price_move_signal: signal(priceMoveSignal(toNumber(yes?.price), toNumber(yes?.price_24h_ago))),
      missing_price_penalty,
    },
  };
}

/**
 * Unknown for markets without exactly two outcomes, for markets that no longer trade, and while no trader is
 * graded.
 */
function presentLean(
  row: ExploreMarketRow,
  yes: ExploreOutcome | undefined,
  no: ExploreOutcome | undefined,
  isCohortKnown: boolean,
): Pick<Market, "smart_score" | "smart_count" | "smart_label"> {
  if (!isCohortKnown || no === undefined || row.over)
    return { smart_score: null, smart_count: null, smart_label: null };
  const positions = row.graded;
  if (positions === null) return { smart_score: null, smart_count: 0, smart_label: null };
  // Without a price of YES the positions are counted, but their value is unknown.
  if (positions.yes_usd === null || positions.no_usd === null)
    return { smart_score: null, smart_count: positions.traders, smart_label: null };
  const { smartScore, smartCount, smartSide } = smartLean(
    { yesUsd: positions.yes_usd, noUsd: positions.no_usd, traderCount: positions.traders },
    positions.yes_price,
  );
  const outcome = smartSide === "YES" ? yes : smartSide === "NO" ? no : undefined;
  return { smart_score: presentFloat(smartScore, 4), smart_count: smartCount, smart_label: outcome?.label ?? null };
}
