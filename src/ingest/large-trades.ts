import type { Session } from "../db/client.ts";
import type { Grade } from "../domain/grades.ts";
import { isLargeTrade } from "../domain/large-trade.ts";
import { formatMicro } from "../domain/money.ts";
import { tradePrice } from "../domain/trade-price.ts";
import { reviewScore } from "../scoring/review-score.ts";
import { identityArrays, type Entry } from "./ledger/entry.ts";
import { publish } from "./outbox.ts";

interface InsertedRow {
  id: string;
  trader_id: string;
  address: string;
  grade: Grade | null;
  condition_id: string;
  outcome_index: number | null;
  side: "BUY" | "SELL";
  size_usd_micro: string;
  shares_micro: string;
  price: string;
  traded_at: string;
}

/**
 * The grade that was published when a trade `e` happened, as `findGradeAt` in src/queries/grades.ts tells it: the newest one computed by
 * then, and nothing in the moment between computing and publishing. A test holds the two together.
 */
const GRADE_AT_TRADE = `
  select grade, status from (
    select grade, published_at, case when grade is null then 'ungraded' else 'graded' end as status
    from trader_grades where trader_id = e.trader_id and valid_from <= e.traded_at
    order by valid_from desc, id desc limit 1
  ) newest where published_at <= e.traded_at`;

/**
 * Captures the large trades among recorded entries and announces each in the outbox. An entry captured before is left as it is, so a page
 * that is applied again announces nothing.
 *
 * @returns how many were captured now
 */
export async function captureLargeTrades(session: Session, entries: readonly Entry[], minUsd: number): Promise<number> {
  const large = entries.filter((entry) => isLargeTrade(entry, minUsd));
  if (large.length === 0) return 0;
  const prices = large.map(tradePrice);
  const { rows } = await session.query<InsertedRow>(
    `with input as (
       select * from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::smallint[], $7::float8[], $8::numeric[])
         as t(tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal, review_score, price)
     ), added as (
       insert into large_trades
         (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, category, review_score,
          recorded_review_score, grade_at_trade, grade_at_trade_status)
       select e.id, e.trader_id, e.market_id, e.outcome_id, upper(e.kind), e.usd_micro, e.shares_micro, input.price, e.traded_at, m.category,
         input.review_score, input.review_score, g.grade, coalesce(g.status, 'unknown')
       from input
       join ledger_entries e using (tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal)
       join markets m on m.id = e.market_id
       left join lateral (${GRADE_AT_TRADE}) g on true
       order by e.traded_at, e.id
       on conflict (entry_id) do nothing
       returning *
     ), counted as (
       update markets m set
         large_trade_count = m.large_trade_count + a.count,
         large_trade_usd_micro = m.large_trade_usd_micro + a.usd_micro,
         large_trade_last_at = greatest(m.large_trade_last_at, a.last_at)
       from (
         select market_id, count(*)::int as count, sum(size_usd_micro)::bigint as usd_micro, max(traded_at) as last_at
         from added group by market_id
       ) a where m.id = a.market_id
     )
     select a.id, a.trader_id, t.address, t.grade, m.condition_id, o.outcome_index, a.side, a.size_usd_micro, a.shares_micro, a.price,
       to_char(a.traded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as traded_at
     from added a
     join traders t on t.id = a.trader_id
     join markets m on m.id = a.market_id
     join outcomes o on o.id = a.outcome_id
     order by a.id`,
    [
      ...identityArrays(large),
      large.map((entry, n) => reviewScore(Number(entry.usdMicro) / 1e6, minUsd, Number(prices[n]), entry.kind === "buy" ? "BUY" : "SELL")),
      prices,
    ],
  );
  if (rows.length > 0) {
    await publish(session, [
      ...rows.map((row) => ({ type: "large_trade_inserted_v2" as const, payload: presentInserted(row) })),
      { type: "large_trades_inserted" as const, payload: { count: rows.length } },
    ]);
  }
  return rows.length;
}

/** The event's payload, as the spec's "Large trade (v2) event data" has it; money and shares are exact decimal strings. */
function presentInserted(row: InsertedRow) {
  return {
    whale_alert_id: Number(row.id),
    condition_id: row.condition_id,
    trader_id: Number(row.trader_id),
    wallet: row.address,
    grade: row.grade,
    size_usd: formatMicro(BigInt(row.size_usd_micro)),
    shares: formatMicro(BigInt(row.shares_micro)),
    price: row.price,
    side: row.side,
    outcome_index: row.outcome_index,
    traded_at: row.traded_at,
    platform: "polymarket" as const,
  };
}
