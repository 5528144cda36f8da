import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isHistoryKnown } from "../db/completeness.ts";
import { LARGE_TRADES_READ_AT } from "../db/coverage.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../domain/flow-windows.ts";
import { GRADES } from "../domain/grades.ts";
import { directionOf, flowAsJson, FlowRow, tokenOf } from "./flows.ts";
import { isMarket, type MarketRef } from "./market-ref.ts";
import { priceAt, valueAt } from "./market-status.ts";
import { big, iso, selectRows } from "./rows.ts";

const TOP_POSITIONS = 5;

const TopPosition = z.object({
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES),
  outcome_index: z.literal([0, 1]),
  token_id: z.string(),
  /** At the price of the moment. */
  value_micro: big,
  /** When the position was last known to be so: at the last reading of the wallet's whole activity, or at its newest fill. */
  known_at: z.string(),
});

export interface MarketFlow {
  readonly flow: FlowRow;
  /** Whether the market has a YES and a NO: one of more outcomes has neither, and nothing flows to a side. */
  readonly isSided: boolean;
  /** The largest positions that graded wallets hold there now, at most five, most valuable first. */
  readonly topPositions: readonly z.output<typeof TopPosition>[];
}

/** What flows rest on. */
export interface FlowCoverage {
  /** When the takers' feed was last read; null before the first time, and flows then say nothing. */
  readonly feedReadAt: string | null;
  /** From when on every trade is recorded; a window that begins before is known in part. */
  readonly completeFrom: string | null;
}

/** A row of `selectMarketFlows`: with no market among those asked for, one without a flow. */
export const MarketFlowRow = z.object({
  flow: FlowRow.nullable(),
  is_sided: z.boolean(),
  top_positions: z.array(TopPosition).nullable(),
  complete_from: z.string().nullable(),
  feed_read_at: z.string().nullable(),
});

/** The flow of one market, or null when there is no such market. */
export async function findMarketFlow(
  db: Database,
  ref: MarketRef,
  window: FlowWindow,
  now: Date,
): Promise<(MarketFlow & FlowCoverage) | null> {
  const { flows, ...coverage } = await findMarketFlows(db, [ref], window, now);
  const [found] = flows;
  return found === undefined ? null : { ...found, ...coverage };
}

/**
 * The flows of markets over the window that ends now: every large trade of a YES or NO, whoever made it.
 *
 * @param refs those that name no market have no flow in the answer, and its order is not theirs
 */
export async function findMarketFlows(
  db: Database,
  refs: readonly MarketRef[],
  window: FlowWindow,
  now: Date,
): Promise<FlowCoverage & { readonly flows: readonly MarketFlow[] }> {
  return toMarketFlows(await selectRows(db, selectMarketFlows(refs, window, now), MarketFlowRow));
}

export const selectMarketFlows = (refs: readonly MarketRef[], window: FlowWindow, now: Date): SQL => sql`
  with flow as (
    select m.id as market_id, m.condition_id, m.title, m.slug, m.category, f.*, ${directionOf(sql`f.net_micro`)} as direction,
      ${tokenOf(sql`f.net_micro`)} as token_id
    from markets m cross join lateral (
      select coalesce(sum(case when (l.side = 'BUY') = (o.outcome_index = 0) then l.size_usd_micro else -l.size_usd_micro end), 0) as net_micro,
        coalesce(sum(l.size_usd_micro) filter (where l.side = 'BUY'), 0) as buy_micro,
        coalesce(sum(l.size_usd_micro) filter (where l.side = 'SELL'), 0) as sell_micro,
        count(*) as trade_count, count(distinct l.trader_id) as wallet_count
      from large_trades l join outcomes o on o.id = l.outcome_id
      where l.market_id = m.id and ${isSided(sql`o`, sql`m.id`)}
        and l.traded_at > ${now.toISOString()}::timestamptz - make_interval(hours => ${FLOW_WINDOW_HOURS[window]}::int)
        and l.traded_at <= ${now.toISOString()}::timestamptz
    ) f where ${refs.length === 0 ? sql`false` : sql.join(refs.map(isMarket), sql` or `)}
  )
  select ${flowAsJson("flow")} as flow, ${hasSides(sql`flow.market_id`)} as is_sided,
    (${topPositions(sql`flow.market_id`, now)}) as top_positions, (select ${iso(sql`min(traded_at)`)} from large_trades) as complete_from,
    ${iso(LARGE_TRADES_READ_AT)} as feed_read_at
  from (select) one left join flow on true`;

export function toMarketFlows(rows: readonly z.output<typeof MarketFlowRow>[]): FlowCoverage & { readonly flows: readonly MarketFlow[] } {
  const flows = rows.flatMap(({ flow, is_sided: isSided, top_positions: positions }) =>
    flow === null ? [] : [{ flow, isSided, topPositions: positions ?? [] }],
  );
  return { flows, feedReadAt: rows[0]?.feed_read_at ?? null, completeFrom: rows[0]?.complete_from ?? null };
}

// The highest index and not the absence of a third outcome: of many markets Postgres would look for absence in all outcomes there are.
const hasSides = (marketId: SQL): SQL =>
  sql`(select coalesce(max(x.outcome_index), 0) <= 1 from outcomes x where x.market_id = ${marketId})`;

/** An outcome that is a YES or a NO of the market: markets of more outcomes have neither. */
const isSided = (outcome: SQL, marketId: SQL): SQL => sql`${outcome}.outcome_index in (0, 1) and ${hasSides(marketId)}`;

/**
 * Wallets whose history is known in part hold we know not what, so they are left out, as are positions without a price.
 *
 * Each outcome's positions come off their index in order before anything is looked up of their wallets, so that both end with the fifth that
 * counts: a market may have thousands. The index has them in the order of their shares, whatever the price was when they were valued.
 */
const topPositions = (marketId: SQL, now: Date): SQL => sql`
  select coalesce(jsonb_agg(jsonb_build_object('address', top.address, 'username', top.username, 'grade', top.grade,
    'outcome_index', top.outcome_index, 'token_id', top.token_id, 'value_micro', top.value_micro::text,
    'known_at', ${iso(sql`top.known_at`)}) order by top.value_micro desc, top.trader_id desc, top.outcome_id desc), '[]')
  from (
    select best.*, o.id as outcome_id, o.outcome_index, o.token_id, ${valueAt(now, "best.shares_micro")} as value_micro
    from markets m join outcomes o on o.market_id = m.id cross join lateral (
      select p.trader_id, p.shares_micro, t.address, t.username, t.grade, greatest(s.complete_at, p.last_at) as known_at
      from positions p join traders t on t.id = p.trader_id and t.grade is not null
        join wallet_syncs s on s.trader_id = p.trader_id and ${sql.raw(isHistoryKnown("s"))}
      where p.outcome_id = o.id and p.settled_micro is null and p.shares_micro > 0 and p.value_micro is not null
      order by p.value_micro desc, p.trader_id desc limit ${TOP_POSITIONS}
    ) best
    where m.id = ${marketId} and ${isSided(sql`o`, marketId)} and (${priceAt(now)}) is not null
    order by value_micro desc, best.trader_id desc, o.id desc limit ${TOP_POSITIONS}
  ) top`;
