import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { LARGE_TRADES_READ_AT } from "../db/coverage.ts";
import { GRADES } from "../domain/grades.ts";
import { CounterpartiesRow, selectCounterparties, toCounterparties, type TradeCounterparties } from "./counterparties.ts";
import { moneyBound } from "./money-bound.ts";
import { allOf, big, count, iso, selectRows } from "./rows.ts";

const LargeTradeRow = z.object({
  id: count,
  commit_xid: z.string(),
  traded_at: z.string(),
  size_usd_micro: big,
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
  /** Null in markets of more than two outcomes, and while the market is not read. */
  outcome_label: z.string().nullable(),
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  market_id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
});

export type LargeTradeRow = z.output<typeof LargeTradeRow>;

/** A label says which side was taken only where there are two. */
const OUTCOME_LABEL = sql`case when (select coalesce(max(x.outcome_index), 0) <= 1 from outcomes x where x.market_id = l.market_id) then o.label end`;

const COLUMNS = sql`l.id, l.commit_xid::text as commit_xid, ${iso(sql`l.traded_at`)} as traded_at, l.size_usd_micro, l.side, l.price,
  l.review_score, l.recorded_review_score, l.suspicion_score, l.suspicion_track, l.judged_at is not null as is_judged, l.grade_at_trade, l.grade_at_trade_status,
  l.market_volume_share, o.token_id, ${OUTCOME_LABEL} as outcome_label, t.id as trader_id, t.address, t.username, t.grade, m.id as market_id,
  m.condition_id, m.title, m.slug, l.category`;

const JOINED = sql`join traders t on t.id = l.trader_id join markets m on m.id = l.market_id join outcomes o on o.id = l.outcome_id`;

const FEED_CLOCK = iso(LARGE_TRADES_READ_AT);

export interface LargeTradeFilters {
  readonly minSizeUsd: number;
  /** Already folded to our spelling. */
  readonly category: string | null;
  /** Grades that pass, best first; null lets ungraded wallets pass. */
  readonly grades: readonly string[] | null;
  readonly suspiciousOnly: boolean;
  readonly minMarketVolumeShare: number | null;
  readonly conditionId?: string | null;
  /** A wallet, a username or a row id; a name nobody has selects nothing. */
  readonly trader?: { readonly id: number } | { readonly name: string } | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
}

export type LargeTradeSort = "recent" | "market_volume_share";

/** The last row of a page. `share` is null where it is unknown, and in the recent order. */
export interface LargeTradePlace {
  readonly tradedAt: string;
  readonly id: number;
  readonly share: string | null;
}

export interface LargeTradePage {
  readonly rows: LargeTradeRow[];
  /** When a page of the takers' feed was last stored; null before the first. */
  readonly feedReadAt: string | null;
}

/** How far back the order by market share reads when no start is given. */
const SHARE_DAYS = 30;

function conditions(filters: LargeTradeFilters): (SQL | null)[] {
  const { category, conditionId = null, trader = null, from = null, to = null, minMarketVolumeShare } = filters;
  return [
    sql`l.size_usd_micro >= ${moneyBound(filters.minSizeUsd)}`,
    category === null ? null : sql`lower(l.category) = lower(${category})`,
    filters.suspiciousOnly ? sql`l.suspicion_score >= 60` : null,
    minMarketVolumeShare === null || minMarketVolumeShare === 0 ? null : sql`l.market_volume_share >= ${minMarketVolumeShare}`,
    conditionId === null ? null : sql`l.market_id = (select id from markets where condition_id = ${conditionId})`,
    trader === null ? null : "id" in trader ? sql`l.trader_id = ${trader.id}` : sql`l.trader_id = (${traderNamed(trader.name)})`,
    from === null ? null : sql`l.traded_at >= ${from.toISOString()}::timestamptz`,
    to === null ? null : sql`l.traded_at < ${to.toISOString()}::timestamptz`,
  ];
}

/** Whether a trade's wallet has one of the grades now; null lets all pass. */
const ofGrades = ({ grades }: LargeTradeFilters): SQL | null =>
  grades === null
    ? null
    : sql`l.trader_id in (select g.id from traders g where g.grade in (${sql.join(
        grades.map((grade) => sql`${grade}`),
        sql`, `,
      )}))`;

/** A wallet address, or the lowest id of those who use the name. */
function traderNamed(name: string): SQL {
  return sql`select min(id) from traders where address = ${name} or lower(username) = ${name}`;
}

const older = (place: LargeTradePlace): SQL => sql`(l.traded_at, l.id) < (${place.tradedAt}::timestamptz, ${place.id})`;

/** A page of large trades, one row more than asked when there is a next page. */
export async function listLargeTrades(
  db: Database,
  filters: LargeTradeFilters,
  page: { sort: LargeTradeSort; place: LargeTradePlace | null; limit: number },
): Promise<LargeTradePage> {
  const chosen = page.sort === "recent" ? chooseRecent(filters, [], page) : chooseByShare(filters, page);
  return withClock(db, chosen, sql`${ORDER[page.sort]} limit ${page.limit + 1}`);
}

const ORDER: Record<LargeTradeSort, SQL> = {
  recent: sql`l.traded_at desc, l.id desc`,
  market_volume_share: sql`l.market_volume_share desc nulls last, l.traded_at desc, l.id desc`,
};

interface Asked {
  readonly place: LargeTradePlace | null;
  readonly limit: number;
}

const RECENT = sql`l.traded_at desc, l.id desc`;

const chooseRecent = (filters: LargeTradeFilters, passing: readonly (SQL | null)[], { place, limit }: Asked): SQL =>
  chooseFirst(filters, allOf([...conditions(filters), ...passing, place === null ? null : older(place)]), RECENT, limit);

/** So many trades are looked through for those of some grades before these are searched for by their wallets. */
const LOOKED_THROUGH = 1_000;

/**
 * The first trades in an order, one more than asked. Whether wallets of some grades made many of them or few no estimate tells, for large trades are
 * not spread evenly over wallets: so the first of all are looked through, and only what then is missing is searched for by the grades.
 */
function chooseFirst(filters: LargeTradeFilters, where: SQL, order: SQL, limit: number): SQL {
  const graded = ofGrades(filters);
  const first = (passing: SQL, most: number) => sql`select l.* from large_trades l where ${passing} order by ${order} limit ${most}`;
  if (graded === null) return first(where, limit + 1);
  return sql`
    with near as materialized (
      select l.* from (${first(where, LOOKED_THROUGH)}) l where ${graded} order by ${order} limit ${limit + 1}
    ), found as (
      select count(*) as rows from near
    )
    select near.* from found, near where found.rows > ${limit}
    union all select far.* from found cross join lateral (${first(sql`${where} and ${graded} and found.rows <= ${limit}`, limit + 1)}) far`;
}

/** Trades whose share is known, off the index of shares, and when these end the others, the newest first. */
function chooseByShare(filters: LargeTradeFilters, { place, limit }: Asked): SQL {
  const from = (filters.from ?? null) === null ? sql`l.traded_at >= now() - make_interval(days => ${SHARE_DAYS})` : null;
  const unknown = (asked: Asked) => chooseRecent(filters, [from, sql`l.market_volume_share is null`], asked);
  if (place !== null && place.share === null) return unknown({ place, limit });
  const after =
    place === null
      ? null
      : sql`(l.market_volume_share, l.traded_at, l.id) < (${place.share}::numeric, ${place.tradedAt}::timestamptz, ${place.id})`;
  const isKnown = allOf([...conditions(filters), from, sql`l.market_volume_share is not null`, after]);
  return sql`
    with known as materialized (${chooseFirst(filters, isKnown, sql`l.market_volume_share desc, l.traded_at desc, l.id desc`, limit)})
    select * from known
    union all select rest.* from (select count(*) as rows from known) found
      cross join lateral (${unknown({ place: null, limit })}) rest where found.rows <= ${limit}`;
}

const Anchor = z.object({ commit_xid: z.string(), behind: count });

/** How many newer trades a `since` poll may have to walk. */
export const MAX_BEHIND = 10_000;

/**
 * A page of the trades that became visible after the trade `sinceId`, newest first in the order they were committed. Only what is below
 * the commit horizon is read, so a trade whose transaction commits late comes in a later poll and is never skipped.
 *
 * @returns null when there is no such trade, or when more than MAX_BEHIND have followed it
 */
export async function listLargeTradesSince(
  db: Database,
  filters: LargeTradeFilters,
  sinceId: number,
  page: { place: { commitXid: string; id: number } | null; limit: number },
): Promise<LargeTradePage | null> {
  const before = page.place === null ? null : sql`(l.commit_xid, l.id) < (${page.place.commitXid}::xid8, ${page.place.id})`;
  const where = allOf([...conditions(filters), ofGrades(filters), before]);
  const Row = z.object({ feed_read_at: z.string().nullable(), anchor: Anchor.nullable(), trade: LargeTradeRow.nullable() });
  const rows = await selectRows(
    db,
    sql`with anchor as (
        select a.commit_xid, a.id, (
          select count(*) from (
            select from large_trades n where (n.commit_xid, n.id) > (a.commit_xid, a.id) limit ${MAX_BEHIND + 1}
          ) newer
        ) as behind
        from large_trades a where a.id = ${sinceId}
      ), chosen as materialized (
        -- Scalars, so that an index can begin there; of a joined row it could not.
        select l.* from large_trades l
        where (l.commit_xid, l.id) > ((select commit_xid from anchor), (select id from anchor))
          and l.commit_xid < pg_snapshot_xmin(pg_current_snapshot()) and ${where}
        order by l.commit_xid desc, l.id desc limit ${page.limit + 1}
      ), page as (
        select ${COLUMNS} from chosen l ${JOINED} order by l.commit_xid desc, l.id desc
      )
      select ${FEED_CLOCK} as feed_read_at,
        (select jsonb_build_object('commit_xid', commit_xid::text, 'behind', behind) from anchor) as anchor,
        ${tradeAsJson()} as trade
      from (select) one left join page on true`,
    Row,
  );
  const anchor = rows[0]?.anchor ?? null;
  if (anchor === null || anchor.behind > MAX_BEHIND) return null;
  return { rows: rows.flatMap((row) => row.trade ?? []), feedReadAt: rows[0]?.feed_read_at ?? null };
}

/** A page row as JSON with big numbers as text, or null for the row that only carries the clock. */
function tradeAsJson(): SQL {
  return sql`case when page.id is not null then to_jsonb(page) || jsonb_build_object('size_usd_micro', page.size_usd_micro::text,
    'price', page.price::text, 'market_volume_share', page.market_volume_share::text) end`;
}

/** Wallets, markets and outcomes are looked up for the chosen trades alone. */
async function withClock(db: Database, chosen: SQL, order: SQL): Promise<LargeTradePage> {
  const Row = z.object({ feed_read_at: z.string().nullable(), trade: LargeTradeRow.nullable() });
  const rows = await selectRows(
    db,
    sql`with chosen as materialized (${chosen}), page as (select ${COLUMNS} from chosen l ${JOINED} order by ${order})
      select ${FEED_CLOCK} as feed_read_at, ${tradeAsJson()} as trade from (select) one left join page on true`,
    Row,
  );
  return { rows: rows.flatMap((row) => row.trade ?? []), feedReadAt: rows[0]?.feed_read_at ?? null };
}

/** One trade, and who stood on its other side. @returns null when there is no such large trade */
export async function findLargeTrade(
  db: Database,
  id: number,
): Promise<{ readonly trade: LargeTradeRow; readonly counterparties: TradeCounterparties } | null> {
  const [row] = await selectRows(
    db,
    sql`select page.*, to_jsonb(c) as counterparties
      from (select ${COLUMNS} from large_trades l ${JOINED} where l.id = ${id}) page
      cross join lateral (${selectCounterparties(sql`page.id`)}) c`,
    LargeTradeRow.extend({ counterparties: CounterpartiesRow }),
  );
  return row === undefined ? null : { trade: row, counterparties: toCounterparties(row.counterparties) };
}

/** The trades of some row numbers; those that nothing has are left out. */
export const findLargeTrades = (db: Database, ids: readonly number[]): Promise<LargeTradeRow[]> =>
  selectRows(db, sql`select ${COLUMNS} from large_trades l ${JOINED} where l.id = any(${`{${ids.join(",")}}`}::bigint[])`, LargeTradeRow);
