import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { COVERED_FROM } from "../../db/coverage.ts";
import { hasTwoOutcomes } from "../../db/fragments/binary-market.ts";
import { outcomeDays } from "../../db/schema.ts";
import { weeklyCandles, type StoredCandle } from "../../domain/markets/weekly-candles.ts";
import type { CandleResolution } from "../../scoring/signals/candles.ts";
import { isMarket, type MarketRef } from "./is-market.ts";
import { alias, isoText, selectRow } from "../../db/sql.ts";

export interface OutcomeCandles {
  readonly tokenId: string;
  readonly side: "YES" | "NO";
  /** Oldest first; buckets without a trade are omitted. */
  readonly candles: readonly StoredCandle[];
}

export interface MarketCandles {
  readonly conditionId: string;
  /**
   * YES, then NO; fewer while the market's tokens are unknown, none in a market with more than two outcomes.
   */
  readonly outcomes: readonly OutcomeCandles[];
  /**
   * The time from which on every trade is recorded; before it, only trades of followed traders. Null when
   * unknown.
   */
  readonly completeFrom: string | null;
}

export interface CandleRange {
  readonly resolution: CandleResolution;
  /**
   * Unix seconds: days that start after `from` and not after `to` are included, which may cut a week. Null
   * means no bound.
   */
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
      days: z.array(
        z.object({ t: z.number().int(), open: z.string(), high: z.string(), low: z.string(), close: z.string() }),
      ),
    }),
  ),
});

const d = alias(outcomeDays, "d");

/** Candles of a market's outcomes, or null when the market does not exist. */
export async function findMarketCandles(
  db: Database,
  ref: MarketRef,
  { resolution, from, to }: CandleRange,
): Promise<MarketCandles | null> {
  const days = sql`${d.day} > date '1970-01-01' + ${dayOf(from, FIRST_DAY)}::int
    and ${d.day} <= date '1970-01-01' + ${dayOf(to, LAST_DAY)}::int`;
  const market = await selectRow(
    db,
    sql`select ${m.conditionId}, ${isoText(COVERED_FROM)} as complete_from, coalesce((
        select jsonb_agg(jsonb_build_object('token_id', ${o.tokenId}, 'index', ${o.outcomeIndex}, 'days', coalesce((
            select jsonb_agg(jsonb_build_object('t', (${d.day} - date '1970-01-01') * 86400::bigint,
              'open', ${d.open}::text, 'high', ${d.high}::text,
              'low', ${d.low}::text, 'close', ${d.close}::text) order by ${d.day})
            from ${d} where ${d.outcomeId} = ${o.id} and ${days}
          ), '[]')) order by ${o.outcomeIndex})
        from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} in (0, 1)
          and ${hasTwoOutcomes(m.id)}
      ), '[]') as outcomes
      from ${m} where ${isMarket(ref)}`,
    Row,
  );
  if (market === null) return null;
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

/**
 * Days from 1970-01-01 to the years 1 and 9999: bounds beyond these select the same days, and Postgres does
 * not accept all of them.
 */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/**
 * The UTC day of an instant, counted from 1970-01-01. A day starts after an instant if it is later than the
 * instant's day.
 */
function dayOf(seconds: number | null, unbounded: number): number {
  return seconds === null ? unbounded : Math.min(LAST_DAY, Math.max(FIRST_DAY, Math.floor(seconds / 86_400)));
}
