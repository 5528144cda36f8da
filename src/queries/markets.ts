import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { IS_OVER } from "./market-status.ts";
import { count, iso, selectRows } from "./rows.ts";

const price = z.string().nullable();

export const SnapshotRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  over: z.boolean(),
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
      last_trade_price: price,
      best_bid: price,
      best_ask: price,
      bid_depth_usd: price,
      ask_depth_usd: price,
      book_source: z.enum(["clob_book", "gamma_market"]).nullable(),
      book_as_of: z.string().nullable(),
    }),
  ),
});

export type SnapshotRow = z.output<typeof SnapshotRow>;

/** One market with its outcomes and their tops of book, or null. */
export async function findMarketSnapshot(db: Database, ref: MarketRef): Promise<SnapshotRow | null> {
  const [row = null] = await selectRows(db, selectMarketSnapshot(ref), SnapshotRow);
  return row;
}

export const selectMarketSnapshot = (ref: MarketRef): SQL =>
  sql`select m.id, m.condition_id, m.title, m.slug, e.slug as event_slug, m.category, ${IS_OVER} as over, m.description, m.image,
        m.series_slug, m.market_type, ${iso(sql`m.provider_created_at`)} as created_at, ${iso(sql`m.end_at`)} as end_at,
        ${iso(sql`m.resolved_at`)} as resolved_at, m.payouts_ppm, m.volume_usd::text as volume_usd,
        m.volume_24h_usd::text as volume_24h_usd, m.liquidity_usd::text as liquidity_usd, ${iso(sql`m.figures_as_of`)} as figures_as_of,
        coalesce((
          select jsonb_agg(jsonb_build_object('index', o.outcome_index, 'token_id', o.token_id, 'label', o.label,
            'last_trade_price', o.last_trade_price::text, 'best_bid', o.best_bid::text, 'best_ask', o.best_ask::text,
            'bid_depth_usd', o.bid_depth_usd::text, 'ask_depth_usd', o.ask_depth_usd::text, 'book_source', o.book_source,
            'book_as_of', ${iso(sql`o.book_as_of`)}) order by o.outcome_index)
          from outcomes o where o.market_id = m.id and o.outcome_index is not null), '[]') as outcomes
      from markets m left join provider_events e on e.id = m.event_id where ${isMarket(ref)}`;
