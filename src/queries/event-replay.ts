import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { currentEpoch, l, m, outboxEvent as e, t } from "../db/aliases.ts";
import type { Database } from "../db/client.ts";
import type { WatchlistRef } from "../domain/watchlists/watchlist-matches.ts";
import { ingestCheckpoints } from "../db/schema.ts";
import { alias, allOf, integer, isoText, selectRow } from "../db/sql.ts";
import {
  COMMIT_HORIZON,
  hasLostEventsAfter,
  isReadableAfter,
  RETAINED_COUNT_CHECKPOINT,
  startOfEpoch,
  type OutboxPosition,
} from "../events/outbox/outbox-reader.ts";
import { isMarket, type MarketRef } from "./markets/is-market.ts";
import { moneyBound } from "./money-bound.ts";
import type { PageRequest } from "./page-request.ts";
import { selectTrader } from "./traders/select-trader.ts";
import type { TraderRef } from "./traders/traders.ts";
import { hasWatchlist, isInWatchlist } from "./watchlists/read-watchlists.ts";

export interface ReplayFilters {
  readonly trader: TraderRef | null;
  readonly market: MarketRef | null;
  /** Current grades that pass; null also accepts ungraded traders. */
  readonly grades: readonly string[] | null;
  /** Dollars, compared in cents, half a cent rounded up. */
  readonly minSizeUsd: number | null;
  /** Addresses, in lower case. */
  readonly wallets: readonly string[] | null;
  readonly watchlist: WatchlistRef | null;
}

/**
 * The maximum number of events one statement scans when there are filters. Events that do not pass are
 * skipped and never returned on later pages.
 */
const MAX_SCANNED = 2_000;

const ReplayedTrade = z.object({
  commit_xid: z.string(),
  id: z.string(),
  identity: z.guid().nullable(),
  trade_id: integer,
  created_at: z.string(),
  trader_id: integer,
  condition_id: z.string(),
});

export type ReplayedTrade = z.output<typeof ReplayedTrade>;

const Pair = z.object({ commit_xid: z.string(), id: z.string() });

export interface ReplayPage {
  /** Null while the outbox has no epoch. */
  readonly epoch: number | null;
  /** False when the filter's watchlist does not exist: the page is then empty. */
  readonly isWatchlistKnown: boolean;
  /**
   * False when events after the cursor were pruned for their age, or when the cursor is of another epoch:
   * events in between are lost.
   */
  readonly isContiguous: boolean;
  /** At most `limit` trades, in the order they became visible. */
  readonly trades: readonly ReplayedTrade[];
  /**
   * The position after this page: its last trade on a full page, else the last event scanned, or the horizon
   * when all events have been scanned.
   */
  readonly nextPosition: z.output<typeof Pair>;
  /** Whether readable events follow that position; filters may exclude all of them. */
  readonly hasMore: boolean;
  /** Whether committed events are not readable yet because an older transaction is still open. */
  readonly isHeldBack: boolean;
  /** The number of retained large-trade events of the current epoch, including those not readable yet. */
  readonly retained: number;
}

const c = alias(ingestCheckpoints, "c");

/**
 * The current epoch, with the number of retained large-trade events below `up_to`: a job counts these, and a
 * read counts only later ones.
 */
const NEWEST = sql`
  select ${currentEpoch.epoch}, ${currentEpoch.prunedXid}, ${currentEpoch.prunedId}, coalesce(k.counted, 0) as counted,
    coalesce(k.up_to, '0'::xid8) as up_to
  from ${currentEpoch} left join lateral (
    select (${c.state} ->> 'counted')::bigint as counted, (${c.state} ->> 'commit_xid')::xid8 as up_to
    from ${c} where ${c.feed} = ${RETAINED_COUNT_CHECKPOINT} and (${c.state} ->> 'epoch')::int = ${currentEpoch.epoch}
  ) k on true
  order by ${currentEpoch.epoch} desc limit 1`;

const ReplayRow = z.object({
  epoch: z.number().int().nullable(),
  cut_off: z.boolean().nullable(),
  farthest: Pair.nullable(),
  cut: z.boolean(),
  held_back: z.boolean(),
  retained: integer.nullable(),
  horizon: z.string(),
  watchlist_known: z.boolean(),
  trades: z.array(ReplayedTrade).nullable(),
});

/**
 * Reads large trades in the order they became visible, from the outbox below its horizon.
 *
 * @param page `cursor` null reads the newest trades, up to the horizon
 */
export async function replayLargeTrades(
  db: Database,
  filters: ReplayFilters,
  page: PageRequest<OutboxPosition>,
): Promise<ReplayPage> {
  const { cursor, limit } = page;
  const isForward = cursor !== null;
  const row = await selectRow(db, selectReplay(filters, page), ReplayRow);
  if (row === null) throw new Error("the replay statement returned no row");
  const found = row.trades ?? [];
  const trades = found.slice(0, limit);
  const isFull = found.length > limit;
  const last = trades.at(-1);
  // Everything below the horizon has been scanned, and no event can still appear there.
  const reached = isForward && row.cut && row.farthest !== null ? row.farthest : { commit_xid: row.horizon, id: "0" };
  return {
    epoch: row.epoch,
    isWatchlistKnown: row.watchlist_known,
    isContiguous: cursor === null || (row.epoch === cursor.epoch && row.cut_off !== true),
    trades,
    nextPosition: isFull && last !== undefined ? last : reached,
    hasMore: isFull || (isForward && row.cut),
    isHeldBack: row.held_back,
    retained: row.retained ?? 0,
  };
}

/**
 * One row in the form of ReplayRow. The CTEs `met` (one more than the limit) and `walked` are the scanned
 * events, `found` those that pass.
 */
function selectReplay(filters: ReplayFilters, { cursor, limit }: PageRequest<OutboxPosition>): SQL {
  const isForward = cursor !== null;
  const direction = isForward ? sql`asc` : sql`desc`;
  const order = sql`${e.commitXid} ${direction}, ${e.id} ${direction}`;
  const from = cursor ?? startOfEpoch(0);
  const readable = isForward
    ? isReadableAfter(from)
    : sql`${e.epoch} = (select epoch from newest) and ${e.commitXid} < ${COMMIT_HORIZON}`;
  const scanLimit = Object.values(filters).every((filter) => filter === null) ? limit : MAX_SCANNED;
  return sql`with newest as materialized (${NEWEST}),
      met as materialized (
        select ${e.commitXid}, ${e.id}, ${e.identity}, ${e.largeTradeId}, ${e.createdAt} from ${e}
        where ${readable} and ${e.largeTradeId} is not null order by ${order} limit ${scanLimit + 1}
      ), walked as materialized (
        select * from met e order by ${order} limit ${scanLimit}
      ), found as materialized (
        select ${e.commitXid}, ${e.id}, ${e.identity}, ${l.id} as trade_id, ${e.createdAt}, ${t.id} as trader_id, ${m.conditionId}
        from walked e join ${l} on ${l.id} = ${e.largeTradeId} join ${t} on ${t.id} = ${l.traderId}
          join ${m} on ${m.id} = ${l.marketId}
        where ${passing(filters)} order by ${order} limit ${isForward ? limit + 1 : limit}
      )
      select newest.epoch,
        ${hasLostEventsAfter(from)} as cut_off,
        (select json_build_object('commit_xid', commit_xid::text, 'id', id::text) from walked
          order by commit_xid desc, id desc limit 1)
          as farthest,
        (select count(*) from met) > ${scanLimit} as cut,
        exists (select from ${e} where ${e.epoch} = newest.epoch and ${e.largeTradeId} is not null
          and ${e.commitXid} >= ${COMMIT_HORIZON}) as held_back,
        newest.counted + (
          select count(*) from ${e} where ${e.commitXid} >= newest.up_to and ${e.epoch} = newest.epoch
            and ${e.largeTradeId} is not null
        ) as retained,
        ${COMMIT_HORIZON}::text as horizon,
        ${filters.watchlist === null ? sql`true` : hasWatchlist(filters.watchlist)} as watchlist_known,
        (select json_agg(json_build_object('commit_xid', f.commit_xid::text, 'id', f.id::text, 'identity', f.identity, 'trade_id', f.trade_id,
          'created_at', ${isoText(sql`f.created_at`)}, 'trader_id', f.trader_id, 'condition_id', f.condition_id)
            order by f.commit_xid, f.id)
          from found f) as trades
      from (select) one left join newest on true`;
}

function passing({ trader, market, grades, minSizeUsd, wallets, watchlist }: ReplayFilters): SQL {
  return allOf([
    trader === null ? null : sql`${t.id} = (select n.id from (${selectTrader(trader)}) n)`,
    market === null ? null : isMarket(market),
    grades === null ? null : inArray(t.grade, grades),
    wallets === null ? null : inArray(t.address, wallets),
    watchlist === null ? null : isInWatchlist(watchlist, sql`${t.address}`),
    minSizeUsd === null ? null : sql`${l.sizeUsdMicro} >= ${moneyBound(minSizeUsd)}`,
  ]);
}
