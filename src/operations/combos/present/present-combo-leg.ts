import type { z } from "zod";
import { categoryOfTags } from "../../../domain/categories/categories.ts";
import { presentPrice } from "../../../domain/markets/present-price.ts";
import type { ComboLegRow } from "../../../queries/combos/combo-rows.ts";
import type { ComboLeg } from "../schemas/leg-schemas.ts";
import { DAY_MS } from "../../../scoring/utc-calendar.ts";

type PublicLeg = z.input<typeof ComboLeg>;
type PublicMarket = NonNullable<PublicLeg["market"]>;

export const presentComboLeg = (leg: ComboLegRow, now: Date): PublicLeg => ({
  leg_index: leg.leg_index,
  outcome_index: leg.outcome_index,
  module_id: leg.module_id,
  state: leg.state,
  market: leg.own_market === null ? presentProviderMarket(leg) : presentOwnMarket(leg, leg.own_market, now),
});

function presentOwnMarket(leg: ComboLegRow, market: NonNullable<ComboLegRow["own_market"]>, now: Date): PublicMarket {
  return {
    source: "markets",
    condition_id: market.condition_id,
    title: market.title,
    slug: market.slug,
    event_slug: market.event_slug,
    ...urlOf(market.event_slug),
    outcome_label: market.outcome_label,
    image: market.image,
    category: market.category,
    winning_outcome: winnerOf(market.payouts_ppm),
    resolved_at: market.resolved_at,
    market_closed: market.closed,
    ...presentDailyPrice(market, now),
    provider_leg_status: leg.provider_status,
  };
}

function presentProviderMarket(leg: ComboLegRow): PublicMarket | null {
  if (leg.provider_market === null) return null;
  const { condition_id, resolved_at, title, slug, eventSlug, outcomeLabel, image, category, tags } =
    leg.provider_market;
  if ([title, slug, eventSlug, outcomeLabel, image, category].every((value) => value === null)) return null;
  return {
    source: "provider",
    condition_id,
    title,
    slug,
    event_slug: eventSlug,
    ...urlOf(eventSlug),
    outcome_label: outcomeLabel,
    image,
    category: categoryOfTags(tags) ?? category,
    winning_outcome: null,
    resolved_at,
    market_closed: null,
    pick_price_daily: null,
    pick_price_as_of: null,
    pick_price_age_days: null,
    provider_leg_status: leg.provider_status,
  };
}

const urlOf = (eventSlug: string | null) =>
  eventSlug === null ? {} : { polymarket_url: `https://polymarket.com/event/${encodeURIComponent(eventSlug)}` };

/** The index of the outcome that gets the whole payout; -1 when none does, null before the result. */
const winnerOf = (payoutsPpm: readonly number[] | null): number | null =>
  payoutsPpm === null ? null : payoutsPpm.indexOf(1_000_000);

function presentDailyPrice({ close, close_day: day }: NonNullable<ComboLegRow["own_market"]>, now: Date) {
  if (close === null || day === null)
    return { pick_price_daily: null, pick_price_as_of: null, pick_price_age_days: null };
  const start = new Date(`${day}T00:00:00.000Z`);
  return {
    pick_price_daily: presentPrice(close),
    pick_price_as_of: start.toISOString(),
    pick_price_age_days: Math.floor((now.getTime() - start.getTime()) / DAY_MS),
  };
}
