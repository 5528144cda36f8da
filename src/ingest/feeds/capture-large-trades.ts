import { sql, type SQL } from "drizzle-orm";
import { e, g, m, o, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { FILL_NAME } from "../../db/fragments/fill-name.ts";
import { insertEvents } from "../../db/fragments/insert-events.ts";
import { largeTrades } from "../../db/schema.ts";
import { array, columnName, columnNames, isoText, run } from "../../db/sql.ts";
import { isLargeTrade } from "../../domain/trades/large-trade.ts";
import { tradePrice } from "../../domain/trades/trade-price.ts";
import { reviewScore } from "../../scoring/review-score.ts";
import { identityArrays, type LedgerEntry } from "../ledger/ledger-entry.ts";

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
 * Captures the large trades among recorded entries and publishes an outbox event for each, in one statement that returns
 * nothing. An entry that was captured before is left unchanged, so applying a page again publishes nothing. The caller has
 * locked the markets of the large trades.
 */
export async function captureLargeTrades(
  session: Session,
  entries: readonly LedgerEntry[],
  minUsd: number,
): Promise<void> {
  const large = entries.filter((entry) => isLargeTrade(entry, minUsd));
  if (large.length === 0) return;
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
  await run(
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
     ${insertEvents(sql`(${EVENTS}) t`)}`,
  );
}

/** Micro-units as a decimal with six places, as `formatMicro` writes them; a product is exact. */
const decimalText = (micro: SQL): SQL => sql`(${micro} * 0.000001)::text`;

/** The events of the trades in `added`. The payload is that of src/events/definitions/large-trade-inserted-v2.ts. */
const EVENTS: SQL = sql`
  select 'large_trade_inserted_v2' as type, jsonb_build_object('whale_alert_id', a.id,
      'condition_id', ${m.conditionId}, 'trader_id', a.trader_id, 'wallet', ${t.address}, 'grade', ${t.grade},
      'size_usd', ${decimalText(sql`a.size_usd_micro`)}, 'shares', ${decimalText(sql`a.shares_micro`)},
      'price', a.price::text, 'side', a.side, 'outcome_index', ${o.outcomeIndex},
      'traded_at', ${isoText(sql`a.traded_at`)}, 'platform', 'polymarket') as payload,
    a.id as large_trade_id, null::bigint as account_id, ${FILL_NAME} as occurrence, a.id as ord
  from added a
  join ${e} on ${e.id} = a.entry_id
  join ${t} on ${t.id} = a.trader_id
  join ${m} on ${m.id} = a.market_id
  join ${o} on ${o.id} = a.outcome_id
  union all
  select 'large_trades_inserted', jsonb_build_object('count', count(*)), null, null, null, max(a.id) + 1
  from added a having count(*) > 0`;
