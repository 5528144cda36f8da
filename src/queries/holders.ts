import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isCombination } from "../db/completeness.ts";
import { HOLDERS_NOTE_SECONDS } from "../domain/holder-scans.ts";
import { StoredProfile } from "../domain/stored-profile.ts";
import { BOT_MARKETS, NEW_WALLET_DAYS } from "../domain/wallet-badges.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { MarketPhase, phaseAt, valueAt } from "./market-status.ts";
import { joinProfile } from "./profiles.ts";
import { big, count, iso, selectRows } from "./rows.ts";

/** Grades whose wallets are listed. */
export const HOLDER_GRADES = ["S", "A", "B"] as const;

export type HolderGrade = (typeof HOLDER_GRADES)[number];

const Market = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  phase: MarketPhase,
  end_at: z.string().nullable(),
  /** By index, as far as they are known. */
  outcomes: z.array(z.object({ index: z.number().int(), token_id: z.string(), label: z.string().nullable() })),
});

/** Of the wallets on one side. */
const SideTotals = z.object({ wallets: count, shares_micro: big, value_micro: big, s: count, a: count, b: count });

const Holder = z.object({
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(HOLDER_GRADES),
  /** The outcome it holds more shares of. */
  outcome_index: z.literal([0, 1]),
  shares_micro: big,
  /** Of those shares; null while the outcome has no price. */
  value_micro: big.nullable(),
  /** Shares of the other outcome; null when it holds none. */
  other_shares_micro: big.nullable(),
  last_traded_at: z.string().nullable(),
  /** Whether it has a profile that may be served, and its record in the market's category, if any. */
  profiled: z.boolean(),
  category_record: StoredProfile.shape.category_records.element.nullable(),
  /** Null unless its whole history is known. */
  first_at: z.string().nullable(),
  /** Counted only where a badge may rest on it. */
  markets_traded: count.nullable(),
});

const Scan = z.object({ fetched_at: z.string(), wallet_count: count });

export type HolderRow = z.output<typeof Holder>;
export type HolderSideTotals = z.output<typeof SideTotals>;
export type HoldersMarket = z.output<typeof Market>;

export interface HolderFilters {
  readonly outcomeIndex: 0 | 1 | null;
  readonly grades: readonly HolderGrade[];
}

export interface HoldersPage {
  readonly market: HoldersMarket;
  /** The whole scan that everything below is from; null when there is none young enough. */
  readonly scan: z.output<typeof Scan> | null;
  /** Before filters; by outcome index. */
  readonly totals: readonly [HolderSideTotals, HolderSideTotals];
  /** Holders that pass the filters. */
  readonly total: number;
  /** Most valuable first, then by shares, then by address. */
  readonly rows: readonly HolderRow[];
}

/**
 * The graded wallets that hold a market, from its last whole scan, and a note that somebody wants them. Null when there is no such market.
 *
 * The note is the one write of a read: without it nothing would be scanned. It is made at most once in HOLDERS_NOTE_SECONDS a market, and of no
 * combination, whose holders nobody lists.
 *
 * @param maxAgeSeconds of the scan
 */
export async function findMarketHolders(
  db: Database,
  ref: MarketRef,
  { outcomeIndex, grades }: HolderFilters,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  { now, maxAgeSeconds }: { readonly now: Date; readonly maxAgeSeconds: number },
): Promise<HoldersPage | null> {
  const [row] = await selectRows(
    db,
    selectMarketHolders(ref, { outcomeIndex, grades }, { offset, limit }, { now, maxAgeSeconds }),
    HoldersRow,
  );
  return row === undefined ? null : toHoldersPage(row);
}

export const HoldersRow = z.object({
  market: Market,
  scan: Scan.nullable(),
  total: count,
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

/** The statement of `findMarketHolders`. It writes, so it can be no part of another one. @param beside further columns */
export function selectMarketHolders(
  ref: MarketRef,
  { outcomeIndex, grades }: HolderFilters,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  { now, maxAgeSeconds }: { readonly now: Date; readonly maxAgeSeconds: number },
  beside: readonly SQL[] = [],
): SQL {
  const at = sql`${now.toISOString()}::timestamptz`;
  const holders = sql`coalesce((select jsonb_agg(to_jsonb(told) order by told.place) from (${tellHolders(at, now)}) told), '[]') as holders`;
  return sql`with m as (
        select m.id, m.condition_id, m.title, m.slug, e.slug as event_slug, m.category, m.tags, ${phaseAt(now)} as phase,
          ${iso(sql`m.end_at`)} as end_at, coalesce((
            select jsonb_agg(jsonb_build_object('index', o.outcome_index, 'token_id', o.token_id, 'label', o.label) order by o.outcome_index)
            from outcomes o where o.market_id = m.id and o.outcome_index is not null), '[]') as outcomes
        from markets m left join provider_events e on e.id = m.event_id where ${isMarket(ref)}
      ), noted as (
        insert into holder_scans (market_id, requested_at) select m.id, ${at} from m
        where not ${sql.raw(isCombination("m.condition_id"))} and not exists (
          select from holder_scans s where s.market_id = m.id and s.requested_at > ${at} - make_interval(secs => ${HOLDERS_NOTE_SECONDS}))
        on conflict (market_id) do update set requested_at = excluded.requested_at
      ), scan as (
        select ${iso(sql`s.fetched_at`)} as fetched_at, s.wallet_count from holder_scans s join m on m.id = s.market_id
        where s.fetched_at >= ${at} - make_interval(secs => ${maxAgeSeconds})
      ), held as (
        select h.trader_id, t.address, t.username, t.grade, h.outcome_index, h.shares_micro,
          ${valueAt(now, "h.shares_micro")} as value_micro,
          row_number() over sides as side_place, lead(h.shares_micro) over sides as other_shares_micro
        from scan cross join (select * from markets where id = (select m.id from m)) m join market_holders h on h.market_id = m.id and h.outcome_index in (0, 1)
          join traders t on t.id = h.trader_id and t.grade in ${HOLDER_GRADES}
          left join outcomes o on o.market_id = m.id and o.outcome_index = h.outcome_index
        window sides as (partition by h.trader_id order by h.shares_micro desc, h.outcome_index)
      ), sided as (
        select * from held where side_place = 1
      ), listed as (
        select * from sided where grade in ${[...grades]} and ${outcomeIndex === null ? sql`true` : sql`outcome_index = ${outcomeIndex}`}
      ), page as (
        select *, row_number() over (order by value_micro desc nulls last, shares_micro desc, address) as place from listed
        order by place limit ${limit} offset ${offset}
      )
      select to_jsonb(m) as market, (select to_jsonb(scan) from scan) as scan, (select count(*) from listed) as total,
        ${sideTotals(0)} as yes, ${sideTotals(1)} as no,
        ${sql.join([holders, ...beside], sql`, `)}
      from m`;
}

const sideTotals = (outcomeIndex: 0 | 1): SQL => sql`(
  select jsonb_build_object('wallets', count(*), 'shares_micro', coalesce(sum(shares_micro), 0)::text,
    'value_micro', coalesce(sum(value_micro), 0)::text, 's', count(*) filter (where grade = 'S'),
    'a', count(*) filter (where grade = 'A'), 'b', count(*) filter (where grade = 'B'))
  from sided where outcome_index = ${outcomeIndex})`;

/** The page's rows with what is known of each wallet. Markets are told only of wallets that are new, or may have traded thousands. */
const tellHolders = (at: SQL, now: Date): SQL => sql`
  select p.place, p.trader_id, p.address, p.username, p.grade, p.outcome_index, p.shares_micro::text as shares_micro,
    p.value_micro::text as value_micro, p.other_shares_micro::text as other_shares_micro,
    ${iso(sql`last.traded_at`)} as last_traded_at, tp.trader_id is not null as profiled,
    (select record from jsonb_array_elements(tp.profile -> 'category_records') record
      where record ->> 'category' = (select m.category from m) limit 1) as category_record,
    ${iso(sql`known.first_at`)} as first_at,
    case when known.first_at > ${at} - make_interval(days => ${NEW_WALLET_DAYS}) or known.entry_count >= ${BOT_MARKETS}
      then known.markets_traded end as markets_traded
  from page p
  left join lateral (
    select max(newest.traded_at) as traded_at
    from m join outcomes o on o.market_id = m.id and o.outcome_index in (0, 1) cross join lateral (
      select e.traded_at from ledger_entries e
      where e.trader_id = p.trader_id and e.outcome_id = o.id and e.kind in ('buy', 'sell') order by e.traded_at desc limit 1
    ) newest
  ) last on true
  left join lateral (
    select tt.first_at, tt.entry_count, tt.markets_traded from trader_totals tt
      join wallet_syncs s on s.trader_id = tt.trader_id and s.complete_at is not null
    where tt.trader_id = p.trader_id
  ) known on true
  ${joinProfile(sql`p.trader_id`, now)}`;
