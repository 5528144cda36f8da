import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { HORIZON, isCutOff, isReadable, RETAINED_COUNT, startOfEpoch, type OutboxPosition } from "../db/outbox.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { moneyBound } from "./money-bound.ts";
import { allOf, count, iso, selectRows } from "./rows.ts";
import { selectTrader } from "./trader-ref.ts";
import type { TraderRef } from "./traders.ts";

export interface ReplayFilters {
  readonly trader: TraderRef | null;
  readonly market: MarketRef | null;
  /** Grades that pass, today's; null lets ungraded wallets pass. */
  readonly grades: readonly string[] | null;
  /** Dollars; half a cent and more counts as a cent. */
  readonly minSizeUsd: number | null;
}

/** How many events one statement looks at when there are filters; those that they do not let pass are behind the reader afterwards. */
const WALKED = 2_000;

const ReplayedTrade = z.object({
  commit_xid: z.string(),
  id: z.string(),
  trade_id: count,
  created_at: z.string(),
  trader_id: count,
  condition_id: z.string(),
});

export type ReplayedTrade = z.output<typeof ReplayedTrade>;

const Pair = z.object({ commit_xid: z.string(), id: z.string() });

export interface ReplayPage {
  /** Null while the outbox has no epoch. */
  readonly epoch: number | null;
  /** False when events behind the place were taken away for their age, or it is of another epoch: what lies between is lost. */
  readonly isWhole: boolean;
  /** At most `limit` of them, in the order they became visible. */
  readonly trades: readonly ReplayedTrade[];
  /** Where the walk has come to: its last trade on a full page, else the last event looked at, or the horizon when all have been. */
  readonly reached: z.output<typeof Pair>;
  /** Whether readable events lie behind that; filters may let none of them pass. */
  readonly hasMore: boolean;
  /** Whether events have been committed that an older transaction, still open, keeps from being read. */
  readonly isHeldBack: boolean;
  /** Large trades' events that are kept of the epoch in force, those held back included. */
  readonly retained: number;
}

/** The epoch in force, with how many large trades' events below `up_to` are kept: a job counts them, and a read only what has come since. */
const NEWEST = sql`
  select o.epoch, o.pruned_xid, o.pruned_id, coalesce(k.counted, 0) as counted, coalesce(k.up_to, '0'::xid8) as up_to
  from outbox_epoch o left join lateral (
    select (c.state ->> 'counted')::bigint as counted, (c.state ->> 'commit_xid')::xid8 as up_to
    from ingest_checkpoints c where c.feed = ${RETAINED_COUNT} and (c.state ->> 'epoch')::int = o.epoch
  ) k on true
  order by o.epoch desc limit 1`;

/**
 * Large trades in the order they became visible, from the outbox and below its horizon.
 *
 * @param place null for the newest there are, which ends at the horizon
 */
export async function replayLargeTrades(
  db: Database,
  filters: ReplayFilters,
  { place, limit }: { place: OutboxPosition | null; limit: number },
): Promise<ReplayPage> {
  const isForward = place !== null;
  const order = isForward ? sql`asc` : sql`desc`;
  const from = place ?? startOfEpoch(0);
  const readable = isForward ? isReadable(from) : sql`e.epoch = (select epoch from newest) and e.commit_xid < ${HORIZON}`;
  const most = Object.values(filters).every((filter) => filter === null) ? limit : WALKED;
  const rows = await selectRows(
    db,
    sql`with newest as materialized (${NEWEST}),
      met as materialized (
        select e.commit_xid, e.id, e.large_trade_id, e.created_at from events e
        where ${readable} and e.large_trade_id is not null order by e.commit_xid ${order}, e.id ${order} limit ${most + 1}
      ), walked as materialized (
        select * from met e order by e.commit_xid ${order}, e.id ${order} limit ${most}
      ), found as materialized (
        select e.commit_xid, e.id, l.id as trade_id, e.created_at, t.id as trader_id, m.condition_id
        from walked e join large_trades l on l.id = e.large_trade_id join traders t on t.id = l.trader_id join markets m on m.id = l.market_id
        where ${passing(filters)} order by e.commit_xid ${order}, e.id ${order} limit ${isForward ? limit + 1 : limit}
      )
      select newest.epoch,
        ${isCutOff(from)} as cut_off,
        (select json_build_object('commit_xid', commit_xid::text, 'id', id::text) from walked order by commit_xid desc, id desc limit 1)
          as farthest,
        (select count(*) from met) > ${most} as cut,
        exists (select from events e where e.epoch = newest.epoch and e.large_trade_id is not null and e.commit_xid >= ${HORIZON}) as held_back,
        newest.counted + (
          select count(*) from events e where e.commit_xid >= newest.up_to and e.epoch = newest.epoch and e.large_trade_id is not null
        ) as retained,
        ${HORIZON}::text as horizon,
        (select json_agg(json_build_object('commit_xid', f.commit_xid::text, 'id', f.id::text, 'trade_id', f.trade_id,
          'created_at', ${iso(sql`f.created_at`)}, 'trader_id', f.trader_id, 'condition_id', f.condition_id) order by f.commit_xid, f.id)
          from found f) as trades
      from (select) one left join newest on true`,
    z.object({
      epoch: z.number().int().nullable(),
      cut_off: z.boolean().nullable(),
      farthest: Pair.nullable(),
      cut: z.boolean(),
      held_back: z.boolean(),
      retained: count.nullable(),
      horizon: z.string(),
      trades: z.array(ReplayedTrade).nullable(),
    }),
  );
  const row = rows[0];
  if (row === undefined) throw new Error("the replay statement gave no row");
  const found = row.trades ?? [];
  const trades = found.slice(0, limit);
  const isFull = found.length > limit;
  const last = trades.at(-1);
  // Everything below the horizon has been looked at, and nothing will appear there any more.
  const reached = isForward && row.cut && row.farthest !== null ? row.farthest : { commit_xid: row.horizon, id: "0" };
  return {
    epoch: row.epoch,
    isWhole: place === null || (row.epoch === place.epoch && row.cut_off !== true),
    trades,
    reached: isFull && last !== undefined ? last : reached,
    hasMore: isFull || (isForward && row.cut),
    isHeldBack: row.held_back,
    retained: row.retained ?? 0,
  };
}

function passing({ trader, market, grades, minSizeUsd }: ReplayFilters): SQL {
  return allOf([
    trader === null ? null : sql`t.id = (select n.id from (${selectTrader(trader)}) n)`,
    market === null ? null : isMarket(market),
    grades === null
      ? null
      : sql`t.grade in (${sql.join(
          grades.map((grade) => sql`${grade}`),
          sql`, `,
        )})`,
    minSizeUsd === null ? null : sql`l.size_usd_micro >= ${moneyBound(minSizeUsd)}`,
  ]);
}
