import { sql, type SQL } from "drizzle-orm";
import { p, s, td } from "../../db/aliases.ts";
import type { Pool } from "@neondatabase/serverless";
import { atCommit, inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { trendingEntries } from "../../db/schema.ts";
import { array, columnName, columnNames, run } from "../../db/sql.ts";
import type { ProviderPage, ProviderLeaderboardRow, TraderHint } from "../../platform/provider.ts";
import { resolveTraders } from "../feeds/resolve-ids.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { trackTraders } from "../traders/track-traders.ts";
import { closeGeneration, hasGeneration, openGeneration } from "./generation.ts";

export const TRENDING_WINDOW_DAYS = { week: 7, month: 30 } as const;

type TrendingPeriod = keyof typeof TRENDING_WINDOW_DAYS;

const listOf = (period: TrendingPeriod): string => `trending:${TRENDING_WINDOW_DAYS[period]}d`;

/**
 * Rebuilds a trending list: the provider's weekly or monthly P&L board in its own order, with our recorded
 * figures of each trader in the window. The window is whole UTC days and ends today. A combination never
 * counts in profit. Traders on a board are tracked from then on. An empty board does not replace an existing
 * list, because the provider always has winners.
 *
 * The traders are stored under the ledger lock, in a transaction of their own. The list is built without it.
 */
export async function buildTrending(
  pool: Pool,
  period: TrendingPeriod,
  board: ProviderPage<ProviderLeaderboardRow>,
): Promise<void> {
  await quarantineRecords(sessionOf(pool), `board:${period}`, board.quarantined);
  if (board.rows.length === 0 && (await hasGeneration(sessionOf(pool), listOf(period)))) return;
  // A board that changes while its pages are read may list a trader twice; the better rank counts.
  const rows = [...Map.groupBy(board.rows, (row) => row.trader.address).values()].flatMap(([first]) => first ?? []);
  const ids = await storeTraders(
    pool,
    rows.map((row) => row.trader),
  );
  await inTransaction(pool, (session) => writeTrendingList(session, period, rows, ids));
}

/**
 * Traders are stored under the ledger lock only: a page that stores one at the same time would hide its row.
 *
 * @returns their row ids by address
 */
async function storeTraders(pool: Pool, hints: readonly TraderHint[]): Promise<ReadonlyMap<string, number>> {
  if (hints.length === 0) return new Map();
  return inTransaction(pool, async (session) => {
    const [, ids] = await Promise.all([lockLedger(session), resolveTraders(session, hints)]);
    await atCommit(session, (last) => trackTraders(last, [...ids.values()], "hot"));
    return ids;
  });
}

/**
 * Publishes the list as of the transaction's time.
 *
 * @param rows each trader once, in the provider's order
 * @param ids the row ids of the traders, by address
 */
export async function writeTrendingList(
  session: Session,
  period: TrendingPeriod,
  rows: readonly ProviderLeaderboardRow[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const generation = await openGeneration(session, listOf(period), {});
  await run(session, insertEntries(generation, TRENDING_WINDOW_DAYS[period], selectBoard(rows, ids)));
  await closeGeneration(session, listOf(period), generation, rows.length);
}

function selectBoard(rows: readonly ProviderLeaderboardRow[], ids: ReadonlyMap<string, number>): SQL {
  const ranks = rows.map((_, index) => index + 1);
  const traderIds = rows.map((row) => ids.get(row.trader.address) ?? null);
  const profits = rows.map((row) => row.pnlUsd);
  const volumes = rows.map((row) => row.volumeShares);
  return sql`select * from unnest(${array(ranks, "int")}, ${array(traderIds, "bigint")}, ${array(profits, "numeric")},
    ${array(volumes, "numeric")}) as t(rank, trader_id, pnl, volume)`;
}

const COLUMNS = columnNames(
  trendingEntries.generation,
  trendingEntries.rank,
  trendingEntries.traderId,
  trendingEntries.providerPnl,
  trendingEntries.providerVolumeShares,
  trendingEntries.windowVolumeMicro,
  trendingEntries.windowMarketsTraded,
  trendingEntries.windowTradeDays,
  trendingEntries.dailyPnl,
);

const TODAY: SQL = sql`(now() at time zone 'UTC')::date`;

const insertEntries = (generation: number, days: number, board: SQL): SQL => sql`
  with board as (${board}), ${selectWindow(days)}
  insert into ${trendingEntries} (${COLUMNS})
  select ${generation}, b.rank, b.trader_id, b.pnl, b.volume,
    case when ${s.completeAt} is not null then coalesce(summed.volume_micro, 0) end,
    coalesce(traded.markets, 0), coalesce(summed.days, 0), coalesce(summed.daily_pnl, '[]')
  from board b left join ${s} on ${s.traderId} = b.trader_id
  left join summed on summed.trader_id = b.trader_id
  left join traded on traded.trader_id = b.trader_id`;

/**
 * Common table expressions that follow `board`: figures of its traders in the last UTC days, today included. `summed`
 * adds up `trader_days`; its daily profit has the days on which it is not zero. `traded` counts the markets of positions
 * whose last entry is in the window. Ledger entries are not read: the board has the busiest traders.
 */
const selectWindow = (days: number): SQL => sql`
  recent as (
    select ${td.traderId}, ${td.day}, ${td.volumeMicro}, ${td.entryCount}, ${td.realizedMicro} + ${td.settledMicro} as pnl_micro
    from board join ${td} using (${columnName(td.traderId)})
    where ${td.day} > ${TODAY} - ${days}::int
  ), summed as (
    select trader_id, sum(volume_micro) as volume_micro, count(*) filter (where entry_count > 0) as days,
      jsonb_agg(jsonb_build_object('date', day, 'pnl_micro', pnl_micro::text) order by day)
        filter (where pnl_micro <> 0) as daily_pnl
    from recent group by trader_id
  ), traded as (
    select ${p.traderId}, count(distinct ${p.marketId}) as markets
    from board join ${p} using (${columnName(p.traderId)})
    where ${p.lastAt} >= (${TODAY} - ${days}::int + 1)::timestamp at time zone 'UTC'
    group by ${p.traderId}
  )`;
