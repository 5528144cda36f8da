import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, g, m, o, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { largeTrades } from "../../db/schema.ts";
import { array, bigintText, columnName, columnNames, integer, isoText, selectRows } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { isLargeTrade } from "../../domain/trades/large-trade.ts";
import { formatMicro } from "../../domain/money.ts";
import { tradePrice } from "../../domain/trades/trade-price.ts";
import { reviewScore } from "../../scoring/review-score.ts";
import { identityArrays, type LedgerEntry } from "../ledger/ledger-entry.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";

const InsertedRow = z.object({
  id: integer,
  trader_id: integer,
  address: z.string(),
  grade: z.enum(GRADES).nullable(),
  condition_id: z.string(),
  outcome_index: z.number().int().nullable(),
  side: z.enum(["BUY", "SELL"]),
  size_usd_micro: bigintText,
  shares_micro: bigintText,
  price: z.string(),
  traded_at: z.string(),
});

type InsertedRow = z.output<typeof InsertedRow>;

/**
 * The published grade at the time of a trade `e`, by the rule of `findGradeAt` in
 * src/queries/traders/grade-history.ts: the newest one computed by then; no row between its computation and
 * its publication. A test checks that both agree.
 */
const GRADE_AT_TRADE: SQL = sql`
  select grade, status from (
    select ${g.grade}, ${g.publishedAt},
      case when ${g.grade} is null then 'ungraded' else 'graded' end as status
    from ${g} where ${g.traderId} = ${e.traderId} and ${g.validFrom} <= ${e.tradedAt}
    order by ${g.validFrom} desc, ${g.id} desc limit 1
  ) newest where published_at <= ${e.tradedAt}`;

/**
 * Captures the large trades among recorded entries and publishes an outbox event for each. An entry that was
 * captured before is left unchanged, so applying a page again publishes nothing.
 *
 * @returns how many were captured by this call
 */
export async function captureLargeTrades(
  session: Session,
  entries: readonly LedgerEntry[],
  minUsd: number,
): Promise<number> {
  const large = entries.filter((entry) => isLargeTrade(entry, minUsd));
  if (large.length === 0) return 0;
  const rows = await insertLargeTrades(session, large, minUsd);
  if (rows.length > 0) {
    await publishEvents(session, [
      ...rows.map((row) => ({ type: "large_trade_inserted_v2" as const, payload: presentInserted(row) })),
      { type: "large_trades_inserted" as const, payload: { count: rows.length } },
    ]);
  }
  return rows.length;
}

async function insertLargeTrades(
  session: Session,
  large: readonly LedgerEntry[],
  minUsd: number,
): Promise<InsertedRow[]> {
  const prices = large.map(tradePrice);
  const reviewScores = large.map((entry, n) =>
    reviewScore(Number(entry.usdMicro) / 1e6, minUsd, Number(prices[n]), entry.kind === "buy" ? "BUY" : "SELL"),
  );
  const added = columnNames(
    largeTrades.entryId,
    largeTrades.traderId,
    largeTrades.marketId,
    largeTrades.outcomeId,
    largeTrades.side,
    largeTrades.sizeUsdMicro,
    largeTrades.sharesMicro,
    largeTrades.price,
    largeTrades.tradedAt,
    largeTrades.category,
    largeTrades.reviewScore,
    largeTrades.recordedReviewScore,
    largeTrades.gradeAtTrade,
    largeTrades.gradeAtTradeStatus,
  );
  const identity = columnNames(e.txHash, e.traderId, e.outcomeId, e.kind, e.sharesMicro, e.ordinal);
  return selectRows(
    session,
    sql`with input as (
       select * from unnest(${identityArrays(large)}, ${array(reviewScores, "float8")}, ${array(prices, "numeric")})
         as t(${identity}, review_score, price)
     ), added as (
       insert into ${largeTrades} (${added})
       select ${e.id}, ${e.traderId}, ${e.marketId}, ${e.outcomeId}, upper(${e.kind}), ${e.usdMicro}, ${e.sharesMicro},
         input.price, ${e.tradedAt}, ${m.category}, input.review_score, input.review_score, g.grade,
         coalesce(g.status, 'unknown')
       from input
       join ${e} using (${identity})
       join ${m} on ${m.id} = ${e.marketId}
       left join lateral (${GRADE_AT_TRADE}) g on true
       order by ${e.tradedAt}, ${e.id}
       on conflict (${columnName(largeTrades.entryId)}) do nothing
       returning *
     ), counted as (
       update ${m} set
         ${columnName(m.largeTradeCount)} = ${m.largeTradeCount} + a.count,
         ${columnName(m.largeTradeUsdMicro)} = ${m.largeTradeUsdMicro} + a.usd_micro,
         ${columnName(m.largeTradeLastAt)} = greatest(${m.largeTradeLastAt}, a.last_at)
       from (
         select market_id, count(*)::int as count, sum(size_usd_micro)::bigint as usd_micro, max(traded_at) as last_at
         from added group by market_id
       ) a where ${m.id} = a.market_id
     )
     select a.id, a.trader_id, ${t.address}, ${t.grade}, ${m.conditionId}, ${o.outcomeIndex}, a.side, a.size_usd_micro,
       a.shares_micro, a.price, ${isoText(sql`a.traded_at`)} as traded_at
     from added a
     join ${t} on ${t.id} = a.trader_id
     join ${m} on ${m.id} = a.market_id
     join ${o} on ${o.id} = a.outcome_id
     order by a.id`,
    InsertedRow,
  );
}

/**
 * The event's payload, as the spec's "Large trade (v2) event data" defines it. Money and shares are exact
 * decimal strings.
 */
function presentInserted(row: InsertedRow) {
  return {
    whale_alert_id: row.id,
    condition_id: row.condition_id,
    trader_id: row.trader_id,
    wallet: row.address,
    grade: row.grade,
    size_usd: formatMicro(row.size_usd_micro),
    shares: formatMicro(row.shares_micro),
    price: row.price,
    side: row.side,
    outcome_index: row.outcome_index,
    traded_at: row.traded_at,
    platform: "polymarket" as const,
  };
}
