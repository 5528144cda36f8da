import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ev, m, o } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { quotesReadAt } from "../../db/fragments/market-price.ts";
import { isMarket, type MarketRef } from "./is-market.ts";
import { hasLiveBookAt, MarketPhase, phaseAt, priceAt, priceBasisAt } from "./market-status.ts";
import { integer, isoText, selectRow } from "../../db/sql.ts";

const price = z.string().nullable();

export const SnapshotRow = z.object({
  id: integer,
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
      /** When the last trade was; null while unknown. */
      last_trade_at: z.string().nullable(),
      /** Quotes and depths are null without a live book. */
      best_bid: price,
      best_ask: price,
      bid_depth_usd: price,
      ask_depth_usd: price,
      /** Source and time of the last book read, even if the book was empty; null before the first time. */
      book_source: z.enum(["clob_book", "gamma_market"]).nullable(),
      book_as_of: z.string().nullable(),
    }),
  ),
});

export type SnapshotRow = z.output<typeof SnapshotRow>;

/** One market with its outcomes, their prices and tops of book, or null. */
export function findMarketSnapshot(db: Database, ref: MarketRef, now: Date): Promise<SnapshotRow | null> {
  return selectRow(db, selectMarketSnapshot(ref, now), SnapshotRow);
}

export const selectMarketSnapshot = (ref: MarketRef, now: Date): SQL =>
  sql`select ${m.id}, ${m.conditionId}, ${m.title}, ${m.slug}, ${ev.slug} as event_slug, ${m.category},
        ${phaseAt(now)} as phase, ${m.description}, ${m.image}, ${m.seriesSlug}, ${m.marketType},
        ${isoText(m.providerCreatedAt)} as created_at, ${isoText(m.endAt)} as end_at,
        ${isoText(m.resolvedAt)} as resolved_at, ${m.payoutsPpm}, ${m.volumeUsd}::text as volume_usd,
        ${m.volume24hUsd}::text as volume_24h_usd, ${m.liquidityUsd}::text as liquidity_usd,
        ${isoText(m.figuresAsOf)} as figures_as_of,
        coalesce((
          select jsonb_agg(jsonb_build_object('index', ${o.outcomeIndex}, 'token_id', ${o.tokenId}, 'label', ${o.label},
            'price', (${priceAt(now)})::text, 'price_basis', ${priceBasisAt(now)},
            'last_trade_at', ${isoText(o.lastTradeAt)},
            'book_source', ${o.bookSource}, 'book_as_of', ${isoText(quotesReadAt({ market: m, outcome: o }))},
            'best_bid', live.best_bid::text, 'best_ask', live.best_ask::text,
            'bid_depth_usd', live.bid_depth_usd::text, 'ask_depth_usd', live.ask_depth_usd::text)
            order by ${o.outcomeIndex})
          from ${o} left join lateral (
            select ${o.bestBid}, ${o.bestAsk}, ${o.bidDepthUsd}, ${o.askDepthUsd} where ${hasLiveBookAt(now)}
          ) live on true
          where ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null), '[]') as outcomes
      from ${m} left join ${ev} on ${ev.id} = ${m.eventId} where ${isMarket(ref)}`;
