import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, ev, m, o, s, scans, t, totals, tp } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { isGradeIn } from "../../db/fragments/grades.ts";
import { holderScans, marketHolders, markets } from "../../db/schema.ts";
import { HOLDERS_REQUEST_SECONDS } from "../../domain/markets/holder-scans.ts";
import { StoredProfile } from "../../domain/traders/stored-profile.ts";
import { BOT_MIN_MARKETS, NEW_TRADER_DAYS } from "../../domain/traders/trader-badges.ts";
import { isMarket, type MarketRef } from "./is-market.ts";
import { MarketPhase, phaseAt, valueAt } from "./market-status.ts";
import { joinProfile } from "../traders/profiles.ts";
import {
  alias,
  array,
  bigintText,
  columnName,
  columnNames,
  excluded,
  integer,
  isoText,
  selectRow,
  setEach,
  timestamp,
} from "../../db/sql.ts";

/** Grades whose traders are listed. */
export const HOLDER_GRADES = ["S", "A", "B"] as const;

export type HolderGrade = (typeof HOLDER_GRADES)[number];

const Market = z.object({
  id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  phase: MarketPhase,
  end_at: z.string().nullable(),
  /** By index, as far as known. */
  outcomes: z.array(z.object({ index: z.number().int(), token_id: z.string(), label: z.string().nullable() })),
});

/** Sums over the traders on one side. */
const SideTotals = z.object({
  traders: integer,
  shares_micro: bigintText,
  value_micro: bigintText,
  s: integer,
  a: integer,
  b: integer,
});

const Holder = z.object({
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(HOLDER_GRADES),
  /** The outcome of which it holds more shares. */
  outcome_index: z.literal([0, 1]),
  shares_micro: bigintText,
  /** Value of those shares; null while the outcome has no price. */
  value_micro: bigintText.nullable(),
  /** Shares of the other outcome; null when it holds none. */
  other_shares_micro: bigintText.nullable(),
  last_traded_at: z.string().nullable(),
  /** Whether it has a profile that may be served; its record in the market's category, if any. */
  profiled: z.boolean(),
  category_record: StoredProfile.shape.category_records.element.nullable(),
  /** Null unless its whole history is known. */
  first_at: z.string().nullable(),
  /** Counted only when a badge may depend on it. */
  markets_traded: integer.nullable(),
});

const Scan = z.object({ fetched_at: z.string(), wallet_count: integer });

export type HolderRow = z.output<typeof Holder>;
export type HolderSideTotals = z.output<typeof SideTotals>;
export type HoldersMarket = z.output<typeof Market>;

export interface HolderFilters {
  readonly outcomeIndex: 0 | 1 | null;
  readonly grades: readonly HolderGrade[];
}

export interface HoldersPage {
  readonly market: HoldersMarket;
  /** The scan from which everything below is read; null when there is no recent enough scan. */
  readonly scan: z.output<typeof Scan> | null;
  /** Before filters; by outcome index. */
  readonly totals: readonly [HolderSideTotals, HolderSideTotals];
  /** Number of holders that pass the filters. */
  readonly total: number;
  /** Most valuable first, then by shares, then by address. */
  readonly rows: readonly HolderRow[];
}

/**
 * Finds the graded holders of a market in its latest complete scan, and records the request for further
 * scans. Null when the market does not exist.
 *
 * Recording the request is the only write of a read: without it, no market would be scanned. It happens at
 * most once in HOLDERS_REQUEST_SECONDS per market, and not for combinations, whose holders the provider does
 * not list.
 *
 * @param maxAgeSeconds maximum age of the scan
 */
export async function findMarketHolders(
  db: Database,
  ref: MarketRef,
  { outcomeIndex, grades }: HolderFilters,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  { now, maxAgeSeconds }: { readonly now: Date; readonly maxAgeSeconds: number },
): Promise<HoldersPage | null> {
  const row = await selectRow(
    db,
    selectMarketHolders(ref, { outcomeIndex, grades }, { offset, limit }, { now, maxAgeSeconds }),
    HoldersRow,
  );
  return row === null ? null : toHoldersPage(row);
}

export const HoldersRow = z.object({
  market: Market,
  scan: Scan.nullable(),
  total: integer,
  yes: SideTotals,
  no: SideTotals,
  holders: z.array(Holder),
});

export const toHoldersPage = (row: z.output<typeof HoldersRow>): HoldersPage => ({
  market: row.market,
  scan: row.scan,
  totals: [row.yes, row.no],
  total: row.total,
  rows: row.holders,
});

/**
 * The statement of `findMarketHolders`. It writes, so it cannot be a subquery of another statement.
 *
 * @param extraColumns additional columns
 */
export function selectMarketHolders(
  ref: MarketRef,
  { outcomeIndex, grades }: HolderFilters,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  { now, maxAgeSeconds }: { readonly now: Date; readonly maxAgeSeconds: number },
  extraColumns: readonly SQL[] = [],
): SQL {
  const at = timestamp(now);
  const holders = sql`coalesce((select jsonb_agg(to_jsonb(h) order by h.n) from (${selectHolderRows(at, now)}) h),
    '[]') as holders`;
  return sql`with m as (${selectMarket(ref, now)}), noted as (${noteRequest(at)}), scan as (
        select ${isoText(scans.fetchedAt)} as fetched_at, ${scans.walletCount} from ${scans}
          join m on m.id = ${scans.marketId}
        where ${scans.fetchedAt} >= ${at} - make_interval(secs => ${maxAgeSeconds})
      ), held as (${selectHeld(now)}), sided as (
        select * from held where side_rank = 1
      ), listed as (
        select * from sided where grade = any(${array(grades, "text")})
          and ${outcomeIndex === null ? sql`true` : sql`outcome_index = ${outcomeIndex}`}
      ), page as (
        select *, row_number() over (order by value_micro desc nulls last, shares_micro desc, address) as n from listed
        order by n limit ${limit} offset ${offset}
      )
      select to_jsonb(m) as market, (select to_jsonb(scan) from scan) as scan, (select count(*) from listed) as total,
        ${sideTotals(0)} as yes, ${sideTotals(1)} as no,
        ${sql.join([holders, ...extraColumns], sql`, `)}
      from m`;
}

const h = alias(marketHolders, "h");

const selectMarket = (ref: MarketRef, now: Date): SQL => sql`
  select ${m.id}, ${m.conditionId}, ${m.title}, ${m.slug}, ${ev.slug} as event_slug, ${m.category}, ${m.tags},
    ${phaseAt(now)} as phase,
    ${isoText(m.endAt)} as end_at, coalesce((
      select jsonb_agg(jsonb_build_object('index', ${o.outcomeIndex}, 'token_id', ${o.tokenId}, 'label', ${o.label})
        order by ${o.outcomeIndex})
      from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null), '[]') as outcomes
  from ${m} left join ${ev} on ${ev.id} = ${m.eventId} where ${isMarket(ref)}`;

/** Records the request for scans of the market in the common table expression `m`. */
const noteRequest = (at: SQL): SQL => sql`
  insert into ${holderScans} (${columnNames(holderScans.marketId, holderScans.requestedAt)})
  select ${m.id}, ${at} from m
  where not ${isCombinationSql(m.conditionId)} and not exists (
    select from ${scans} where ${scans.marketId} = ${m.id}
      and ${scans.requestedAt} > ${at} - make_interval(secs => ${HOLDERS_REQUEST_SECONDS}))
  on conflict (${columnName(holderScans.marketId)}) do update set ${setEach([holderScans.requestedAt], excluded)}`;

/** Each outcome that a graded trader holds in the scan; a trader's larger holding has the side rank 1. */
const selectHeld = (now: Date): SQL => sql`
  select ${h.traderId}, ${t.address}, ${t.username}, ${t.grade}, ${h.outcomeIndex}, ${h.sharesMicro},
    ${valueAt(now, h.sharesMicro)} as value_micro,
    row_number() over sides as side_rank, lead(${h.sharesMicro}) over sides as other_shares_micro
  from scan cross join (select * from ${markets} where ${markets.id} = (select m.id from m)) m
    join ${h} on ${h.marketId} = ${m.id} and ${h.outcomeIndex} in (0, 1)
    join ${t} on ${t.id} = ${h.traderId} and ${isGradeIn(t.grade, HOLDER_GRADES)}
    left join ${o} on ${o.marketId} = ${m.id} and ${o.outcomeIndex} = ${h.outcomeIndex}
  window sides as (partition by ${h.traderId} order by ${h.sharesMicro} desc, ${h.outcomeIndex})`;

const sideTotals = (outcomeIndex: 0 | 1): SQL => sql`(
  select jsonb_build_object('traders', count(*), 'shares_micro', coalesce(sum(shares_micro), 0)::text,
    'value_micro', coalesce(sum(value_micro), 0)::text, 's', count(*) filter (where grade = 'S'),
    'a', count(*) filter (where grade = 'A'), 'b', count(*) filter (where grade = 'B'))
  from sided where outcome_index = ${outcomeIndex})`;

/**
 * The page's rows with the data of each trader. The number of markets is read only for traders that are new
 * or may have traded thousands of markets.
 */
const selectHolderRows = (at: SQL, now: Date): SQL => sql`
  select p.n, p.trader_id, p.address, p.username, p.grade, p.outcome_index, p.shares_micro::text as shares_micro,
    p.value_micro::text as value_micro, p.other_shares_micro::text as other_shares_micro,
    ${isoText(sql`last.traded_at`)} as last_traded_at, ${tp.traderId} is not null as profiled,
    (select record from jsonb_array_elements(${tp.profile} -> 'category_records') record
      where record ->> 'category' = (select m.category from m) limit 1) as category_record,
    ${isoText(sql`known.first_at`)} as first_at,
    case when known.first_at > ${at} - make_interval(days => ${NEW_TRADER_DAYS})
      or known.entry_count >= ${BOT_MIN_MARKETS} then known.markets_traded end as markets_traded
  from page p
  left join lateral (
    select max(newest.traded_at) as traded_at
    from m join ${o} on ${o.marketId} = m.id and ${o.outcomeIndex} in (0, 1) cross join lateral (
      select ${e.tradedAt} from ${e}
      where ${e.traderId} = p.trader_id and ${e.outcomeId} = ${o.id} and ${e.kind} in ('buy', 'sell')
      order by ${e.tradedAt} desc limit 1
    ) newest
  ) last on true
  left join lateral (
    select ${totals.firstAt}, ${totals.entryCount}, ${totals.marketsTraded} from ${totals}
      join ${s} on ${s.traderId} = ${totals.traderId} and ${s.completeAt} is not null
    where ${totals.traderId} = p.trader_id
  ) known on true
  ${joinProfile(sql`p.trader_id`, now)}`;
