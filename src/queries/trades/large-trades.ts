import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { l, m, o, t } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { LARGE_TRADES_AS_OF } from "../../db/coverage.ts";
import { hasTwoOutcomesByIndex } from "../../db/fragments/binary-market.ts";
import { largeTrades, markets, traders } from "../../db/schema.ts";
import { alias, allOf, array, bigintText, integer, isoText, selectRow, selectRows, timestamp } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { SUSPICION_FLOOR } from "../../scoring/signals/parameters.ts";
import {
  CounterpartiesRow,
  selectCounterparties,
  toCounterparties,
  type TradeCounterparties,
} from "./counterparties.ts";
import { moneyBound } from "../money-bound.ts";
import type { PageRequest } from "../page-request.ts";

const LargeTradeRow = z.object({
  id: integer,
  commit_xid: z.string(),
  traded_at: z.string(),
  size_usd_micro: bigintText,
  side: z.enum(["BUY", "SELL"]),
  price: z.string(),
  review_score: z.number(),
  recorded_review_score: z.number().nullable(),
  suspicion_score: z.number().int().nullable(),
  suspicion_track: z.enum(["whale", "fresh_conviction", "sliced_position"]).nullable(),
  is_judged: z.boolean(),
  grade_at_trade: z.enum(GRADES).nullable(),
  grade_at_trade_status: z.enum(["graded", "ungraded", "unknown"]),
  market_volume_share: z.string().nullable(),
  token_id: z.string(),
  /** Null in markets with more than two outcomes, and while the market object has not been read. */
  outcome_label: z.string().nullable(),
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  market_id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
});

export type LargeTradeRow = z.output<typeof LargeTradeRow>;

/** A label identifies the side of the trade only in a market with two outcomes. */
const OUTCOME_LABEL = sql`case when ${hasTwoOutcomesByIndex(l.marketId)} then ${o.label} end`;

const COLUMNS = sql`${l.id}, ${l.commitXid}::text as commit_xid, ${isoText(l.tradedAt)} as traded_at, ${l.sizeUsdMicro},
  ${l.side}, ${l.price}, ${l.reviewScore}, ${l.recordedReviewScore}, ${l.suspicionScore}, ${l.suspicionTrack},
  ${l.judgedAt} is not null as is_judged, ${l.gradeAtTrade}, ${l.gradeAtTradeStatus}, ${l.marketVolumeShare},
  ${o.tokenId}, ${OUTCOME_LABEL} as outcome_label, ${t.id} as trader_id, ${t.address}, ${t.username}, ${t.grade},
  ${m.id} as market_id, ${m.conditionId}, ${m.title}, ${m.slug}, ${l.category}`;

const JOINS = sql`join ${t} on ${t.id} = ${l.traderId} join ${m} on ${m.id} = ${l.marketId}
  join ${o} on ${o.id} = ${l.outcomeId}`;

const FEED_READ_AT = isoText(LARGE_TRADES_AS_OF);

export interface LargeTradeFilters {
  readonly minSizeUsd: number;
  /** Already normalised to our spelling. */
  readonly category: string | null;
  /** Grades that pass, best first; null also accepts ungraded traders. */
  readonly grades: readonly string[] | null;
  readonly suspiciousOnly: boolean;
  readonly minMarketVolumeShare: number | null;
  readonly conditionId?: string | null;
  /** An address, a username or a row id; an unknown name selects nothing. */
  readonly trader?: { readonly id: number } | { readonly name: string } | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
}

export type LargeTradeSort = "recent" | "market_volume_share";

/** The last row of a page. `share` is null where it is unknown, and in the order `recent`. */
export interface LargeTradeCursor {
  readonly tradedAt: string;
  readonly id: number;
  readonly share: string | null;
}

export interface LargeTradePage {
  readonly rows: LargeTradeRow[];
  /** When a page of the taker feed was last stored; null before the first. */
  readonly feedReadAt: string | null;
}

/** With the floor as a literal, so that a partial index applies. */
const IS_SUSPICIOUS = sql`${l.suspicionScore} >= ${sql.raw(String(SUSPICION_FLOOR))}`;

/** How many days back the order by market share reads when no start is given. */
const SHARE_DAYS = 30;

function buildConditions(filters: LargeTradeFilters): (SQL | null)[] {
  const { category, conditionId = null, trader = null, from = null, to = null, minMarketVolumeShare } = filters;
  return [
    sql`${l.sizeUsdMicro} >= ${moneyBound(filters.minSizeUsd)}`,
    category === null ? null : sql`lower(${l.category}) = lower(${category})`,
    filters.suspiciousOnly ? IS_SUSPICIOUS : null,
    minMarketVolumeShare === null || minMarketVolumeShare === 0
      ? null
      : sql`${l.marketVolumeShare} >= ${minMarketVolumeShare}`,
    conditionId === null
      ? null
      : sql`${l.marketId} = (select ${markets.id} from ${markets} where ${markets.conditionId} = ${conditionId})`,
    trader === null
      ? null
      : "id" in trader
        ? sql`${l.traderId} = ${trader.id}`
        : sql`${l.traderId} = (${selectTraderId(trader.name)})`,
    from === null ? null : sql`${l.tradedAt} >= ${timestamp(from)}`,
    to === null ? null : sql`${l.tradedAt} < ${timestamp(to)}`,
  ];
}

const graded = alias(traders, "g");

/** SQL condition: the trade's trader currently has one of the grades; null accepts all. */
const hasGrade = ({ grades }: LargeTradeFilters): SQL | null =>
  grades === null
    ? null
    : sql`${l.traderId} in (select ${graded.id} from ${graded} where ${inArray(graded.grade, grades)})`;

/** The trader with this address, or the one with the lowest id among those with this username. */
function selectTraderId(name: string): SQL {
  return sql`select min(${traders.id}) from ${traders}
    where ${traders.address} = ${name} or lower(${traders.username}) = ${name}`;
}

const isAfterCursor = (cursor: LargeTradeCursor): SQL =>
  sql`(${l.tradedAt}, ${l.id}) < (${cursor.tradedAt}::timestamptz, ${cursor.id})`;

/** A page of large trades, with one row more than the limit when there is a next page. */
export async function listLargeTrades(
  db: Database,
  filters: LargeTradeFilters,
  page: LargeTradePageRequest & { readonly sort: LargeTradeSort },
): Promise<LargeTradePage> {
  const selected = page.sort === "recent" ? selectRecent(filters, [], page) : selectByShare(filters, page);
  return selectPage(db, selected, sql`${ORDER[page.sort]} limit ${page.limit + 1}`);
}

const RECENT = sql`${l.tradedAt} desc, ${l.id} desc`;

const ORDER: Record<LargeTradeSort, SQL> = {
  recent: RECENT,
  market_volume_share: sql`${l.marketVolumeShare} desc nulls last, ${RECENT}`,
};

type LargeTradePageRequest = PageRequest<LargeTradeCursor>;

const selectRecent = (filters: LargeTradeFilters, extra: readonly (SQL | null)[], page: LargeTradePageRequest): SQL =>
  selectFirst(
    filters,
    allOf([...buildConditions(filters), ...extra, page.cursor === null ? null : isAfterCursor(page.cursor)]),
    RECENT,
    page.limit,
  );

/** With a grade filter, this many trades are scanned before a search by grade. */
const MAX_SCANNED = 1_000;

/**
 * Selects the first trades in an order, one more than the limit. The planner cannot estimate how selective a
 * grade filter is, because trades are spread unevenly over traders. So the first MAX_SCANNED trades are
 * scanned, and only if they do not fill the page, the trades are searched by grade.
 */
function selectFirst(filters: LargeTradeFilters, where: SQL, order: SQL, limit: number): SQL {
  const hasOneOf = hasGrade(filters);
  const first = (condition: SQL, rows: number) =>
    sql`select l.* from ${l} where ${condition} order by ${order} limit ${rows}`;
  if (hasOneOf === null) return first(where, limit + 1);
  return sql`
    with near as materialized (
      select l.* from (${first(where, MAX_SCANNED)}) l where ${hasOneOf} order by ${order} limit ${limit + 1}
    ), found as (
      select count(*) as rows from near
    )
    select near.* from found, near where found.rows > ${limit}
    union all select far.* from found cross join lateral (${first(
      sql`${where} and ${hasOneOf} and found.rows <= ${limit}`,
      limit + 1,
    )}) far`;
}

/**
 * Trades with a known share, from the index of shares; when these do not fill the page, trades with an
 * unknown share, newest first.
 */
function selectByShare(filters: LargeTradeFilters, page: LargeTradePageRequest): SQL {
  const { limit } = page;
  const cursor = page.cursor;
  const from =
    (filters.from ?? null) === null ? sql`${l.tradedAt} >= now() - make_interval(days => ${SHARE_DAYS})` : null;
  const unknown = (request: LargeTradePageRequest) =>
    selectRecent(filters, [from, sql`${l.marketVolumeShare} is null`], request);
  if (cursor !== null && cursor.share === null) return unknown(page);
  const after =
    cursor === null
      ? null
      : sql`(${l.marketVolumeShare}, ${l.tradedAt}, ${l.id})
          < (${cursor.share}::numeric, ${cursor.tradedAt}::timestamptz, ${cursor.id})`;
  const isKnown = allOf([...buildConditions(filters), from, sql`${l.marketVolumeShare} is not null`, after]);
  return sql`
    with known as materialized (${selectFirst(filters, isKnown, sql`${l.marketVolumeShare} desc, ${RECENT}`, limit)})
    select * from known
    union all select rest.* from (select count(*) as rows from known) found
      cross join lateral (${unknown({ cursor: null, limit })}) rest where found.rows <= ${limit}`;
}

const since = alias(largeTrades, "a");
const newer = alias(largeTrades, "n");

const Anchor = z.object({ commit_xid: z.string(), behind: integer });

/** The maximum number of newer trades that a `since` poll scans. */
export const MAX_BEHIND = 10_000;

/**
 * A page of the trades that became visible after the trade `sinceId`, newest first in commit order. Only
 * trades below the commit horizon are read, so a trade whose transaction commits late appears in a later poll
 * and is never skipped.
 *
 * @returns null when the trade does not exist, or when more than MAX_BEHIND trades have followed it
 */
export async function listLargeTradesSince(
  db: Database,
  filters: LargeTradeFilters,
  sinceId: number,
  page: PageRequest<{ readonly commitXid: string; readonly id: number }>,
): Promise<LargeTradePage | null> {
  const before =
    page.cursor === null ? null : sql`(${l.commitXid}, ${l.id}) < (${page.cursor.commitXid}::xid8, ${page.cursor.id})`;
  const where = allOf([...buildConditions(filters), hasGrade(filters), before]);
  const Row = z.object({
    feed_read_at: z.string().nullable(),
    anchor: Anchor.nullable(),
    trade: LargeTradeRow.nullable(),
  });
  const rows = await selectRows(
    db,
    sql`with anchor as (
        select ${since.commitXid}, ${since.id}, (
          select count(*) from (
            select from ${newer} where (${newer.commitXid}, ${newer.id}) > (${since.commitXid}, ${since.id})
              limit ${MAX_BEHIND + 1}
          ) newer
        ) as behind
        from ${since} where ${since.id} = ${sinceId}
      ), selected as materialized (
        -- Scalar subqueries, so that an index scan can start there; with a joined row it could not.
        select l.* from ${l}
        where (${l.commitXid}, ${l.id}) > ((select commit_xid from anchor), (select id from anchor))
          and ${l.commitXid} < pg_snapshot_xmin(pg_current_snapshot()) and ${where}
        order by ${l.commitXid} desc, ${l.id} desc limit ${page.limit + 1}
      ), page as (
        select ${COLUMNS} from selected l ${JOINS} order by ${l.commitXid} desc, ${l.id} desc
      )
      select ${FEED_READ_AT} as feed_read_at,
        (select jsonb_build_object('commit_xid', commit_xid::text, 'behind', behind) from anchor) as anchor,
        ${tradeAsJson()} as trade
      from (select) one left join page on true`,
    Row,
  );
  const anchor = rows[0]?.anchor ?? null;
  if (anchor === null || anchor.behind > MAX_BEHIND) return null;
  return { rows: rows.flatMap((row) => row.trade ?? []), feedReadAt: rows[0]?.feed_read_at ?? null };
}

/** A page row as JSON with big numbers as text, or null for the row without a trade. */
function tradeAsJson(): SQL {
  return sql`case when page.id is not null then to_jsonb(page) || jsonb_build_object('size_usd_micro',
    page.size_usd_micro::text,
    'price', page.price::text, 'market_volume_share', page.market_volume_share::text) end`;
}

/** Joins traders, markets and outcomes to the selected trades only. */
async function selectPage(db: Database, selected: SQL, order: SQL): Promise<LargeTradePage> {
  const Row = z.object({ feed_read_at: z.string().nullable(), trade: LargeTradeRow.nullable() });
  const rows = await selectRows(
    db,
    sql`with selected as materialized (${selected}), page as (select ${COLUMNS} from selected l ${JOINS}
      order by ${order})
      select ${FEED_READ_AT} as feed_read_at, ${tradeAsJson()} as trade from (select) one left join page on true`,
    Row,
  );
  return { rows: rows.flatMap((row) => row.trade ?? []), feedReadAt: rows[0]?.feed_read_at ?? null };
}

/**
 * One trade with its counterparties.
 *
 * @returns null when the large trade does not exist
 */
export async function findLargeTrade(
  db: Database,
  id: number,
): Promise<{ readonly trade: LargeTradeRow; readonly counterparties: TradeCounterparties } | null> {
  const row = await selectRow(
    db,
    sql`select page.*, to_jsonb(c) as counterparties
      from (select ${COLUMNS} from ${l} ${JOINS} where ${l.id} = ${id}) page
      cross join lateral (${selectCounterparties(sql`page.id`)}) c`,
    LargeTradeRow.extend({ counterparties: CounterpartiesRow }),
  );
  return row === null ? null : { trade: row, counterparties: toCounterparties(row.counterparties) };
}

/** The trades with these row ids; unknown ids are omitted. */
export const findLargeTrades = (db: Database, ids: readonly number[]): Promise<LargeTradeRow[]> =>
  selectRows(db, sql`select ${COLUMNS} from ${l} ${JOINS} where ${l.id} = any(${array(ids, "bigint")})`, LargeTradeRow);
