import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Session } from "../../db/client.ts";
import { recordClusters, recordPeriods } from "../../db/schema.ts";
import { alias, columnName, columnNames, excluded, run, setEach, timestamp, type Columns } from "../../db/sql.ts";
import { ALL_MONTHS, type RecordKind } from "../../domain/record/record-kinds.ts";
import { PRICE_BAND_PPM, RECORD_METHOD } from "../../scoring/record/parameters.ts";
import { selectClaims, selectPool, type MonthRange } from "./select-claims.ts";

const c = alias(recordClusters, "c");
const p = alias(recordPeriods, "p");

const HAS_PRICE = sql`coalesce(price_ppm > 0 and price_ppm < 1000000, false)`;

/** What became of a claim or a random purchase. */
const OUTCOME: SQL = sql`case when not ${HAS_PRICE} then 'unpriced' when payout_ppm is null then 'pending'
  when published_at >= result_at then 'late' when payout_ppm = 1000000 then 'won' when payout_ppm = 0 then 'lost'
  else 'voided' end`;

/** With the category, what a random purchase has in common with its claim: the UTC day and the price band. */
const DAY_AND_BAND: SQL = sql`(priced_at at time zone 'UTC')::date as day,
  price_ppm / ${sql.raw(String(PRICE_BAND_PPM))} as band`;

/** The columns of counts and sums in both tables. */
const sumsOf = (
  table: Columns<
    typeof recordClusters,
    "claims" | "pending" | "late" | "unpriced" | "won" | "lost" | "voided" | "pricePpm" | "returnMicro"
  >,
): readonly AnyPgColumn[] => [
  ...[table.claims, table.pending, table.late, table.unpriced, table.won, table.lost, table.voided],
  ...[table.pricePpm, table.returnMicro],
];

const CLUSTER_SUMS = sumsOf(recordClusters);
const PERIOD_SUMS = [
  ...sumsOf(recordPeriods),
  recordPeriods.events,
  recordPeriods.edgeSquares,
  recordPeriods.edgeCounts,
  recordPeriods.countSquares,
];

/**
 * The record of a kind and month by event. A cell is a day, a category and a price band. A cell with n claims gets the
 * first n of its unclaimed large purchases in the order of the MD5 of "method:kind:trade id", or all where there are
 * fewer. A claim that is unpriced or late takes no part in the draw. As a uuid, an MD5 sorts like its hex digits, and
 * several times faster.
 */
const selectClusters = (kind: RecordKind, range: MonthRange): SQL => sql`
  with claims as materialized (select claim.*, ${OUTCOME} as outcome from (${selectClaims(kind, range)}) claim),
  cells as materialized (
    select day, category, band, row_number() over () as cell, count(*) as size
    from (select category, ${DAY_AND_BAND} from claims where outcome not in ('unpriced', 'late')) eligible
    group by day, category, band
  ), pool as materialized (
    -- Materialized: otherwise the join with the cells is planned by day and band first, without the category.
    select category, ${DAY_AND_BAND}, cluster, price_ppm, payout_ppm, published_at, result_at,
      md5(${`${RECORD_METHOD}:${kind}:wt_`} || id)::uuid as lot
    from (${selectPool(kind, range)}) purchase where ${HAS_PRICE}
  ), drawn as (
    select * from (
      select pool.*, size, row_number() over (partition by cell order by lot) as place
      from pool join cells using (day, category, band)
    ) shuffled where place <= size
  ), samples as (
    select 'claim' as sample, cluster, outcome, price_ppm, payout_ppm from claims
    union all
    select 'random', cluster, ${OUTCOME}, price_ppm, payout_ppm from drawn
  )
  select sample, cluster, count(*)::int as claims, count(*) filter (where outcome = 'pending')::int as pending,
    count(*) filter (where outcome = 'late')::int as late, count(*) filter (where outcome = 'unpriced')::int as unpriced,
    count(*) filter (where outcome = 'won')::int as won, count(*) filter (where outcome = 'lost')::int as lost,
    count(*) filter (where outcome = 'voided')::int as voided,
    coalesce(sum(price_ppm) filter (where outcome in ('won', 'lost')), 0)::bigint as price_ppm,
    coalesce(sum(payout_ppm::bigint * 1000000 / price_ppm) filter (where outcome in ('won', 'lost', 'voided')), 0)::bigint
      as return_micro
  from samples group by sample, cluster`;

/** The row of an upsert differs from the stored one in a sum. */
const differs = (table: SQL, columns: readonly AnyPgColumn[]): SQL =>
  sql`(${sql.join(
    columns.map((column) => sql`${table}.${columnName(column)}`),
    sql`, `,
  )}) is distinct from (${sql.join(columns.map(excluded), sql`, `)})`;

/**
 * Computes the record of a kind and month by event and writes the rows that differ. All reading precedes the first
 * write, so the transaction holds back the outbox's commit horizon only while it writes.
 */
export async function writeClusters(session: Session, kind: RecordKind, range: MonthRange): Promise<void> {
  const { month } = range;
  const key = columnNames(recordClusters.kind, recordClusters.month, recordClusters.sample, recordClusters.cluster);
  await run(
    session,
    sql`with sums as materialized (${selectClusters(kind, range)}), gone as (
       delete from ${c} where ${c.kind} = ${kind} and ${c.month} = ${month}
         and not exists (select from sums where sums.sample = ${c.sample} and sums.cluster = ${c.cluster})
     )
     insert into ${recordClusters} (${key}, ${columnNames(...CLUSTER_SUMS)})
     select ${kind}, ${month}, sample, cluster, ${columnNames(...CLUSTER_SUMS)} from sums order by sample, cluster
     on conflict (${key}) do update set ${setEach(CLUSTER_SUMS, excluded)}
     where ${differs(sql`${recordClusters}`, CLUSTER_SUMS)}`,
  );
}

/**
 * Sums the stored events of a kind: those of a month, or of all months, where an event with claims in several months is
 * one event. A month without claims has no row; the total has one from the first run on.
 */
export async function writePeriod(session: Session, kind: RecordKind, period: string, now: Date): Promise<void> {
  const isIn = period === ALL_MONTHS ? sql`true` : sql`${c.month} = ${period}`;
  const key = columnNames(recordPeriods.kind, recordPeriods.period, recordPeriods.sample);
  const sumOf = (column: AnyPgColumn) => sql`coalesce(sum(${columnName(column)}), 0)::bigint as ${columnName(column)}`;
  await run(
    session,
    sql`with events as (
       select ${c.sample}, ${c.cluster}, ${sql.join(CLUSTER_SUMS.map(sumOf), sql`, `)} from ${c}
       where ${c.kind} = ${kind} and ${isIn} group by ${c.sample}, ${c.cluster}
     ), measured as (
       select *, won + lost as decided, won * 1000000 - price_ppm as edge from events
     ), sums as (
       select sample, ${sql.join(CLUSTER_SUMS.map(sumOf), sql`, `)},
         count(*) filter (where decided > 0) as events, coalesce(sum(edge::numeric * edge), 0) as edge_squares,
         coalesce(sum(edge::numeric * decided), 0) as edge_counts,
         coalesce(sum(decided::numeric * decided), 0) as count_squares
       from (values ('claim'), ('random')) samples(sample) left join measured using (sample)
       where ${period} = ${ALL_MONTHS} or exists (select from events)
       group by sample
     ), gone as (
       delete from ${p} where ${p.kind} = ${kind} and ${p.period} = ${period} and not exists (select from sums)
     )
     insert into ${recordPeriods} (${key}, ${columnNames(...PERIOD_SUMS, recordPeriods.changedAt)})
     select ${kind}, ${period}, sample, ${columnNames(...PERIOD_SUMS)}, ${timestamp(now)} from sums order by sample
     on conflict (${key}) do update set ${setEach([...PERIOD_SUMS, recordPeriods.changedAt], excluded)}
     where ${differs(sql`${recordPeriods}`, PERIOD_SUMS)}`,
  );
}
