import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { z } from "zod";
import { l, m, o, p, s, t } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { COVERED_FROM, LARGE_TRADES_AS_OF } from "../../db/coverage.ts";
import { hasTwoOutcomesByIndex } from "../../db/fragments/binary-market.ts";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/markets/flow-windows.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { directionSql, flowAsJson, FlowRow, directionTokenSql } from "../trades/flows.ts";
import { isMarket, type MarketRef } from "./is-market.ts";
import { priceAt, valueAt } from "./market-status.ts";
import { bigintText, isoText, selectRows, timestamp } from "../../db/sql.ts";

const TOP_POSITIONS = 5;

const TopPosition = z.object({
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(GRADES),
  outcome_index: z.literal([0, 1]),
  token_id: z.string(),
  /** At the current price. */
  value_micro: bigintText,
  /**
   * When the position was last confirmed: at the last read of the trader's whole activity, or at its newest
   * fill.
   */
  known_at: z.string(),
});

export interface MarketFlowDetail {
  readonly flow: FlowRow;
  /** Whether the market has a YES and a NO. A market with more outcomes has neither, and no directed flow. */
  readonly isSided: boolean;
  /** The largest current positions of graded traders in the market, at most five, most valuable first. */
  readonly topPositions: readonly z.output<typeof TopPosition>[];
}

/** The coverage of the data behind flows. */
export interface FlowCoverage {
  /** When the taker feed was last read; null before the first time, and flows are then meaningless. */
  readonly feedReadAt: string | null;
  /** The time from which on every trade is recorded; a window that starts before it is known in part. */
  readonly completeFrom: string | null;
}

/** A row of `selectMarketFlows`. When no requested market exists, there is one row without a flow. */
export const MarketFlowRow = z.object({
  flow: FlowRow.nullable(),
  is_sided: z.boolean(),
  top_positions: z.array(TopPosition).nullable(),
  complete_from: z.string().nullable(),
  feed_read_at: z.string().nullable(),
});

/** The flow of one market, or null when the market does not exist. */
export async function findMarketFlow(
  db: Database,
  ref: MarketRef,
  window: FlowWindow,
  now: Date,
): Promise<(MarketFlowDetail & FlowCoverage) | null> {
  const { flows, ...coverage } = await findMarketFlows(db, [ref], window, now);
  const [found] = flows;
  return found === undefined ? null : { ...found, ...coverage };
}

/**
 * The flows of markets over the window that ends now: all large trades of YES or NO, by all traders.
 *
 * @param refs unknown markets are omitted from the result, and its order differs from this one
 */
export async function findMarketFlows(
  db: Database,
  refs: readonly MarketRef[],
  window: FlowWindow,
  now: Date,
): Promise<FlowCoverage & { readonly flows: readonly MarketFlowDetail[] }> {
  return toMarketFlows(await selectRows(db, selectMarketFlows(refs, window, now), MarketFlowRow));
}

export const selectMarketFlows = (refs: readonly MarketRef[], window: FlowWindow, now: Date): SQL => sql`
  with flow as (
    select ${m.id} as market_id, ${m.conditionId}, ${m.title}, ${m.slug}, ${m.category}, f.*,
      ${directionSql(sql`f.net_micro`)} as direction,
      ${directionTokenSql(sql`f.net_micro`)} as token_id
    from ${m} cross join lateral (
      select coalesce(sum(case when (${l.side} = 'BUY') = (${o.outcomeIndex} = 0) then ${l.sizeUsdMicro}
        else -${l.sizeUsdMicro} end), 0) as net_micro,
        coalesce(sum(${l.sizeUsdMicro}) filter (where ${l.side} = 'BUY'), 0) as buy_micro,
        coalesce(sum(${l.sizeUsdMicro}) filter (where ${l.side} = 'SELL'), 0) as sell_micro,
        count(*) as trade_count, count(distinct ${l.traderId}) as wallet_count
      from ${l} join ${o} on ${o.id} = ${l.outcomeId}
      where ${l.marketId} = ${m.id} and ${isSided(m.id)}
        and ${l.tradedAt} > ${timestamp(now)}
          - make_interval(hours => ${FLOW_WINDOW_HOURS[window]}::int)
        and ${l.tradedAt} <= ${timestamp(now)}
    ) f where ${refs.length === 0 ? sql`false` : sql.join(refs.map(isMarket), sql` or `)}
  )
  select ${flowAsJson("flow")} as flow, ${hasTwoOutcomesByIndex(sql`flow.market_id`)} as is_sided,
    (${topPositions(sql`flow.market_id`, now)}) as top_positions, ${isoText(COVERED_FROM)} as complete_from,
    ${isoText(LARGE_TRADES_AS_OF)} as feed_read_at
  from (select) one left join flow on true`;

export function toMarketFlows(
  rows: readonly z.output<typeof MarketFlowRow>[],
): FlowCoverage & { readonly flows: readonly MarketFlowDetail[] } {
  const flows = rows.flatMap(({ flow, is_sided: isSided, top_positions: positions }) =>
    flow === null ? [] : [{ flow, isSided, topPositions: positions ?? [] }],
  );
  return { flows, feedReadAt: rows[0]?.feed_read_at ?? null, completeFrom: rows[0]?.complete_from ?? null };
}

/** SQL condition: the outcome `o` is a YES or a NO of the market; markets with more outcomes have neither. */
const isSided = (marketId: SQL | AnyColumn): SQL =>
  sql`${o.outcomeIndex} in (0, 1) and ${hasTwoOutcomesByIndex(marketId)}`;

/**
 * The positions of traders with incomplete history are unknown, so these traders are excluded, as are
 * positions without a price.
 *
 * Each outcome's positions are read in index order before their traders are looked up, so that both stop
 * after the fifth match: a market may have thousands. The index order equals the order by shares, whatever
 * the price was at the last valuation.
 */
const topPositions = (marketId: SQL, now: Date): SQL => sql`
  select coalesce(jsonb_agg(jsonb_build_object('address', top.address, 'username', top.username, 'grade', top.grade,
    'outcome_index', top.outcome_index, 'token_id', top.token_id, 'value_micro', top.value_micro::text,
    'known_at', ${isoText(sql`top.known_at`)}) order by top.value_micro desc, top.trader_id desc, top.outcome_id desc),
      '[]')
  from (
    select best.*, ${o.id} as outcome_id, ${o.outcomeIndex}, ${o.tokenId},
      ${valueAt(now, sql`best.shares_micro`)} as value_micro
    from ${m} join ${o} on ${o.marketId} = ${m.id} cross join lateral (
      select ${p.traderId}, ${p.sharesMicro}, ${t.address}, ${t.username}, ${t.grade},
        greatest(${s.completeAt}, ${p.lastAt}) as known_at
      from ${p} join ${t} on ${t.id} = ${p.traderId} and ${t.grade} is not null
        join ${s} on ${s.traderId} = ${p.traderId} and ${isHistoryKnown(s)}
      where ${p.outcomeId} = ${o.id} and ${isOpen(p)}
        and ${p.valueMicro} is not null
      order by ${p.valueMicro} desc, ${p.traderId} desc limit ${TOP_POSITIONS}
    ) best
    where ${m.id} = ${marketId} and ${isSided(marketId)} and (${priceAt(now)}) is not null
    order by value_micro desc, best.trader_id desc, ${o.id} desc limit ${TOP_POSITIONS}
  ) top`;
