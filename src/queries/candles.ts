import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { weeklyCandles, type StoredCandle } from "../domain/weekly-candles.ts";
import type { CandleResolution } from "../scoring/signals/candles.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { iso, selectRows } from "./rows.ts";

export interface OutcomeCandles {
  readonly tokenId: string;
  readonly side: "YES" | "NO";
  /** Oldest first; a bucket without a trade is left out. */
  readonly candles: readonly StoredCandle[];
}

export interface MarketCandles {
  readonly conditionId: string;
  /** YES, then NO; fewer while the market's tokens are not known, none in a market of more outcomes. */
  readonly outcomes: readonly OutcomeCandles[];
  /** From when on every trade is recorded; before, only those of followed wallets. Null when nothing is known of it. */
  readonly completeFrom: string | null;
}

export interface CandleRange {
  readonly resolution: CandleResolution;
  /** Unix seconds: days that start after `from` and not after `to` count, which may cut a week. Null is no bound. */
  readonly from: number | null;
  readonly to: number | null;
}

const Row = z.object({
  condition_id: z.string(),
  complete_from: z.string().nullable(),
  outcomes: z.array(
    z.object({
      token_id: z.string(),
      index: z.literal([0, 1]),
      days: z.array(z.object({ t: z.number().int(), open: z.string(), high: z.string(), low: z.string(), close: z.string() })),
    }),
  ),
});

/** Candles of a market's outcomes, or null when there is no such market. */
export async function findMarketCandles(
  db: Database,
  ref: MarketRef,
  { resolution, from, to }: CandleRange,
): Promise<MarketCandles | null> {
  const days = sql`d.day > date '1970-01-01' + ${dayOf(from, FIRST_DAY)}::int and d.day <= date '1970-01-01' + ${dayOf(to, LAST_DAY)}::int`;
  const rows = await selectRows(
    db,
    sql`select m.condition_id, (select ${iso(sql`min(traded_at)`)} from large_trades) as complete_from, coalesce((
        select jsonb_agg(jsonb_build_object('token_id', o.token_id, 'index', o.outcome_index, 'days', coalesce((
            select jsonb_agg(jsonb_build_object('t', (d.day - date '1970-01-01') * 86400::bigint, 'open', d.open::text, 'high', d.high::text,
              'low', d.low::text, 'close', d.close::text) order by d.day)
            from outcome_days d where d.outcome_id = o.id and ${days}
          ), '[]')) order by o.outcome_index)
        from outcomes o where o.market_id = m.id and o.outcome_index in (0, 1)
          and not exists (select from outcomes x where x.market_id = m.id and x.outcome_index > 1)
      ), '[]') as outcomes
      from markets m where ${isMarket(ref)}`,
    Row,
  );
  const [market] = rows;
  if (market === undefined) return null;
  return {
    conditionId: market.condition_id,
    completeFrom: market.complete_from,
    outcomes: market.outcomes.map((outcome) => ({
      tokenId: outcome.token_id,
      side: outcome.index === 0 ? "YES" : "NO",
      candles: resolution === "1d" ? outcome.days : weeklyCandles(outcome.days),
    })),
  };
}

/** Days from 1970-01-01 to the years 1 and 9999: bounds beyond say no more, and Postgres would not take all of them. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** The UTC day of an instant, counted from 1970-01-01. A day starts after an instant when it is later than the instant's day. */
function dayOf(seconds: number | null, unbounded: number): number {
  return seconds === null ? unbounded : Math.min(LAST_DAY, Math.max(FIRST_DAY, Math.floor(seconds / 86_400)));
}
