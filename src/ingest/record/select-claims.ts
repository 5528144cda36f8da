import { sql, type SQL } from "drizzle-orm";
import { l, m, o } from "../../db/aliases.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { isGradeIn } from "../../db/fragments/grades.ts";
import { isWithdrawn, k, recordedPayout } from "../../db/fragments/picks.ts";
import { publishedFlowAlerts, suspiciousTrades } from "../../db/schema.ts";
import { alias, timestamp } from "../../db/sql.ts";
import type { RecordKind } from "../../domain/record/record-kinds.ts";
import { CLAIMING_GRADES } from "../../scoring/record/parameters.ts";

const flag = alias(suspiciousTrades, "flag");
const alert = alias(publishedFlowAlerts, "alert");

/** A UTC month. */
export interface MonthRange {
  /** `2026-11`. */
  readonly month: string;
  readonly from: Date;
  /** The first instant after it. */
  readonly to: Date;
}

const isWithin = (instant: SQL, { from, to }: MonthRange): SQL =>
  sql`${instant} >= ${timestamp(from)} and ${instant} < ${timestamp(to)}`;

const toPpm = (price: SQL): SQL => sql`round(${price} * 1000000)::bigint`;

/** What every claim and every random purchase has of its market `m`. Results count from `result_at` on. */
const MARKET: SQL = sql`${m.id} as market_id, coalesce(${m.eventId}, -${m.id}) as cluster,
  coalesce(${m.category}, '') as category,
  coalesce(${m.resolvedAt}, ${m.settledOn}::timestamp at time zone 'UTC') as result_at`;

const payoutOf = (outcomeIndex: SQL): SQL => sql`${m.payoutsPpm}[${outcomeIndex} + 1]`;

const IS_ORDINARY: SQL = sql`not ${isCombinationSql(m.conditionId)}`;

const indexOf = (side: SQL): SQL => sql`case ${side} when 'yes' then 0 else 1 end`;

/**
 * The claims of a kind whose price is of the month: `id`, `price_ppm` (millionths of a dollar, of the side that the
 * claim backs), `priced_at`, `published_at`, `payout_ppm` (of that side; null without a result) and the columns of
 * `MARKET`. Nothing but `payout_ppm` and `result_at` depends on anything later than the publication. Combinations of
 * markets are left out: their results are unknown.
 */
export const selectClaims = (kind: RecordKind, range: MonthRange): SQL => CLAIMS[kind](range);

const CLAIMS: Readonly<Record<RecordKind, (range: MonthRange) => SQL>> = {
  // A flagged sale backs the other side, at one dollar less its price.
  flag: (range) => sql`
    select ${flag.id}, case ${l.side} when 'BUY' then ${toPpm(sql`${l.price}`)}
        else 1000000 - ${toPpm(sql`${l.price}`)} end as price_ppm,
      ${flag.tradedAt} as priced_at, ${flag.recordedAt} as published_at,
      ${payoutOf(indexOf(sql`${flag.side}`))} as payout_ppm, ${MARKET}
    from ${flag} join ${l} on ${l.id} = ${flag.largeTradeId} join ${m} on ${m.id} = ${flag.marketId} and ${IS_ORDINARY}
    where ${isWithin(sql`${flag.tradedAt}`, range)}`,
  // The letter was published before the purchase.
  grade: (range) => sql`
    select ${l.id}, ${toPpm(sql`${l.price}`)} as price_ppm, ${l.tradedAt} as priced_at, ${l.tradedAt} as published_at,
      ${payoutOf(sql`${o.outcomeIndex}`)} as payout_ppm, ${MARKET}
    from ${l} join ${m} on ${m.id} = ${l.marketId} and ${IS_ORDINARY} join ${o} on ${o.id} = ${l.outcomeId}
    where ${isWithin(sql`${l.tradedAt}`, range)} and ${l.side} = 'BUY' and ${isGradeIn(l.gradeAtTrade, CLAIMING_GRADES)}`,
  flow_alert: (range) => sql`
    select ${alert.id}, ${toPpm(sql`${alert.price}`)} as price_ppm, ${alert.publishedAt} as priced_at,
      ${alert.publishedAt} as published_at, ${payoutOf(indexOf(sql`${alert.side}`))} as payout_ppm, ${MARKET}
    from ${alert} join ${m} on ${m.id} = ${alert.marketId} and ${IS_ORDINARY}
    where ${isWithin(sql`${alert.publishedAt}`, range)}`,
  // The recorded outcome, so that record and archive agree.
  pick: (range) => sql`
    select ${k.id}, ${toPpm(sql`${k.backedPrice}`)} as price_ppm, ${k.publishedAt} as priced_at,
      ${k.publishedAt} as published_at, ${recordedPayout(k.id)} as payout_ppm, ${MARKET}
    from ${k} join ${m} on ${m.id} = ${k.marketId}
    where ${isWithin(sql`${k.publishedAt}`, range)} and not ${isWithdrawn(k.id)}`,
};

/** A large purchase that a claim of the kind can be compared with. */
const IS_UNCLAIMED: Readonly<Record<RecordKind, SQL>> = {
  flag: sql`not exists (select from ${flag} where ${flag.largeTradeId} = ${l.id})`,
  grade: sql`not coalesce(${isGradeIn(l.gradeAtTrade, CLAIMING_GRADES)}, false)`,
  // Both sides of a claimed market are left out: leaving out one would turn the other's luck against the draw.
  flow_alert: sql`${l.marketId} not in (select market_id from claims)`,
  pick: sql`${l.marketId} not in (select market_id from claims)`,
};

/**
 * Large purchases of the month that are no claim of the kind, with the columns of claims. Reads the common table
 * expression `claims`.
 */
export const selectPool = (kind: RecordKind, range: MonthRange): SQL => sql`
  select ${l.id}, ${toPpm(sql`${l.price}`)} as price_ppm, ${l.tradedAt} as priced_at, ${l.tradedAt} as published_at,
    ${payoutOf(sql`${o.outcomeIndex}`)} as payout_ppm, ${MARKET}
  from ${l} join ${m} on ${m.id} = ${l.marketId} and ${IS_ORDINARY} join ${o} on ${o.id} = ${l.outcomeId}
  where ${isWithin(sql`${l.tradedAt}`, range)} and ${l.side} = 'BUY' and ${IS_UNCLAIMED[kind]}`;
