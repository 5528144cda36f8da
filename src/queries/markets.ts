import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { hasLiveBookAt, MarketPhase, phaseAt, priceAt, priceBasisAt } from "./market-status.ts";
import { count, iso, selectRows } from "./rows.ts";

const price = z.string().nullable();

export const SnapshotRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  phase: MarketPhase,
  description: z.string().nullable(),
  image: z.string().nullable(),
  series_slug: z.string().nullable(),
  market_type: z.string().nullable(),
  created_at: z.string().nullable(),
  end_at: z.string().nullable(),
  resolved_at: z.string().nullable(),
  payouts_ppm: z.array(z.number().int()).nullable(),
  volume_usd: z.string().nullable(),
  volume_24h_usd: z.string().nullable(),
  liquidity_usd: z.string().nullable(),
  figures_as_of: z.string().nullable(),
  outcomes: z.array(
    z.object({
      index: z.number().int(),
      token_id: z.string(),
      label: z.string().nullable(),
      price,
      price_basis: z.enum(["payout", "midpoint", "last_trade"]).nullable(),
      /** When the last trade was; null while that is not known. */
      last_trade_at: z.string().nullable(),
      /** Quotes and depths are null without a live book. */
      best_bid: price,
      best_ask: price,
      bid_depth_usd: price,
      ask_depth_usd: price,
      /** Where the book, whether there was one or not, was last read, and when; null before the first time. */
      book_source: z.enum(["clob_book", "gamma_market"]).nullable(),
      book_as_of: z.string().nullable(),
    }),
  ),
});

export type SnapshotRow = z.output<typeof SnapshotRow>;

/** One market with its outcomes, their prices and their tops of book, or null. */
export async function findMarketSnapshot(db: Database, ref: MarketRef, now: Date): Promise<SnapshotRow | null> {
  const [row = null] = await selectRows(db, selectMarketSnapshot(ref, now), SnapshotRow);
  return row;
}

export const selectMarketSnapshot = (ref: MarketRef, now: Date): SQL =>
  sql`select m.id, m.condition_id, m.title, m.slug, e.slug as event_slug, m.category, ${phaseAt(now)} as phase, m.description, m.image,
        m.series_slug, m.market_type, ${iso(sql`m.provider_created_at`)} as created_at, ${iso(sql`m.end_at`)} as end_at,
        ${iso(sql`m.resolved_at`)} as resolved_at, m.payouts_ppm, m.volume_usd::text as volume_usd,
        m.volume_24h_usd::text as volume_24h_usd, m.liquidity_usd::text as liquidity_usd, ${iso(sql`m.figures_as_of`)} as figures_as_of,
        coalesce((
          select jsonb_agg(jsonb_build_object('index', o.outcome_index, 'token_id', o.token_id, 'label', o.label,
            'price', (${priceAt(now)})::text, 'price_basis', ${priceBasisAt(now)}, 'last_trade_at', ${iso(sql`o.last_trade_at`)},
            'book_source', o.book_source, 'book_as_of', ${iso(sql`o.book_as_of`)},
            'best_bid', live.best_bid::text, 'best_ask', live.best_ask::text,
            'bid_depth_usd', live.bid_depth_usd::text, 'ask_depth_usd', live.ask_depth_usd::text) order by o.outcome_index)
          from outcomes o left join lateral (
            select o.best_bid, o.best_ask, o.bid_depth_usd, o.ask_depth_usd where ${hasLiveBookAt(now)}
          ) live on true
          where o.market_id = m.id and o.outcome_index is not null), '[]') as outcomes
      from markets m left join provider_events e on e.id = m.event_id where ${isMarket(ref)}`;
