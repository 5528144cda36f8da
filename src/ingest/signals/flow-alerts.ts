import { sql } from "drizzle-orm";
import { z } from "zod";
import { l, m, o, t } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isGradeIn } from "../../db/fragments/grades.ts";
import { NOW, outcomePrice } from "../../db/fragments/market-price.ts";
import { flowAlerts, flowEntries, publishedFlowAlerts } from "../../db/schema.ts";
import { array, bigintText, columnNames, excluded, integer, isoText, run, selectRows, setEach } from "../../db/sql.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/markets/flow-windows.ts";
import { gradesFrom } from "../../domain/traders/grades.ts";
import { presentUsd } from "../../domain/money.ts";
import { floorLowerBound, toMicro } from "../../scoring/dollar-floor.ts";
import { flowSideOf, type FlowSide } from "../../scoring/signals/flow-side.ts";
import { FLOW_ALERT_GRADE_FLOOR, FLOW_ALERT_USD } from "../../scoring/signals/parameters.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";

const GRADES = gradesFrom(FLOW_ALERT_GRADE_FLOOR);

const FlowRow = z.object({
  market_id: z.string(),
  condition_id: z.string(),
  net_micro: bigintText,
  trade_count: integer,
  side: z.enum(["yes", "no", "none"]),
});

type FlowRow = z.output<typeof FlowRow>;

type FlowChange = FlowRow & { readonly now: FlowSide };
/** A market whose flow has crossed to a side. */
type FlowCrossing = FlowRow & { readonly now: Exclude<FlowSide, "none"> };

const isCrossing = (row: FlowChange): row is FlowCrossing => row.now !== "none";

/**
 * Publishes an alert for each market whose ranked flow has crossed the threshold of its window to another
 * side (`flowSideOf`), and stores the new side. This runs in the transaction that writes the generation, so a
 * crossing is published exactly once with it, or not at all.
 *
 * Only crossings that we could observe are published: the side's money must include a trade made after
 * `since`. A database that is being backfilled therefore publishes nothing about the past, while trades made
 * during an outage are published once they have been read.
 *
 * @param since when the first generation of the window was built, ISO
 */
export async function publishFlowAlerts(
  session: Session,
  window: FlowWindow,
  generation: number,
  since: string,
): Promise<void> {
  const thresholdMicro = toMicro(FLOW_ALERT_USD[window]);
  const flows = await readFlows(session, window, generation, thresholdMicro);
  const changes = flows
    .map((row) => ({ ...row, now: flowSideOf(row.net_micro, row.side, thresholdMicro) }))
    .filter((row) => row.now !== row.side);
  if (changes.length === 0) return;
  await storeSides(session, window, changes);
  const observed = await marketsWithNews(session, window, changes, since);
  const news = changes.filter(isCrossing).filter((row) => observed.has(row.market_id));
  if (news.length === 0) return;
  await storeAlerts(session, window, news);
  await publishEvents(
    session,
    news.map((row) => ({
      type: "sharp_money_flow_detected" as const,
      payload: presentAlert(row, window),
      occurrence: `${row.condition_id} ${window} ${row.now} ${observed.get(row.market_id)}`,
    })),
  );
}

/** SQL of changed flows: the market and its new side. */
const changedSides = (changes: readonly FlowChange[]) => {
  const marketIds = changes.map((row) => row.market_id);
  const sides = changes.map((row) => row.now);
  return sql`unnest(${array(marketIds, "bigint")}, ${array(sides, "text")}) as changed(market_id, side)`;
};

async function storeSides(session: Session, window: FlowWindow, changes: readonly FlowChange[]): Promise<void> {
  const { marketId, side, changedAt } = flowAlerts;
  await run(
    session,
    sql`insert into ${flowAlerts} (${columnNames(marketId, flowAlerts.window, side, changedAt)})
     select changed.market_id, ${window}, changed.side, now() from ${changedSides(changes)}
     on conflict (${columnNames(marketId, flowAlerts.window)}) do update set ${setEach([side, changedAt], excluded)}`,
  );
}

/** Stores published alerts with the price of their side, for the public record. */
async function storeAlerts(session: Session, window: FlowWindow, news: readonly FlowCrossing[]): Promise<void> {
  const { marketId, side, price, publishedAt } = publishedFlowAlerts;
  await run(
    session,
    sql`insert into ${publishedFlowAlerts}
       (${columnNames(marketId, publishedFlowAlerts.window, side, price, publishedAt)})
     select changed.market_id, ${window}, changed.side, ${outcomePrice({ market: m, outcome: o, now: NOW })}, now()
     from ${changedSides(news)} join ${m} on ${m.id} = changed.market_id
     left join ${o} on ${o.marketId} = ${m.id}
       and ${o.outcomeIndex} = case changed.side when 'yes' then 0 else 1 end
     order by changed.market_id`,
  );
}

/** The markets that have a side now, and those whose flow is large enough for one. */
const readFlows = (
  session: Session,
  window: FlowWindow,
  generation: number,
  thresholdMicro: bigint,
): Promise<FlowRow[]> =>
  selectRows(
    session,
    sql`with flows as (
       select ${flowEntries.marketId}, sum(${flowEntries.netMicro}) as net_micro,
         sum(${flowEntries.tradeCount}) as trade_count
       from ${flowEntries} where ${flowEntries.generation} = ${generation} and ${isGradeIn(flowEntries.grade, GRADES)}
       group by ${flowEntries.marketId}
     ), sides as (
       select ${flowAlerts.marketId}, ${flowAlerts.side} from ${flowAlerts}
       where ${flowAlerts.window} = ${window} and ${flowAlerts.side} <> 'none'
     )
     select market_id, ${m.conditionId}, coalesce(flows.net_micro, 0)::text as net_micro,
       coalesce(flows.trade_count, 0) as trade_count, coalesce(sides.side, 'none') as side
     from flows full join sides using (market_id) join ${m} on ${m.id} = market_id
     where sides.side is not null or abs(flows.net_micro) >= ${String(floorLowerBound(thresholdMicro))}::numeric
     order by market_id`,
    FlowRow,
  );

/**
 * The markets among these with a counted trade for their new side that was made after `since`, each with the time of the
 * newest one, ISO.
 */
async function marketsWithNews(
  session: Session,
  window: FlowWindow,
  changes: readonly FlowChange[],
  since: string,
): Promise<Map<string, string>> {
  const rows = await selectRows(
    session,
    sql`select changed.market_id, ${isoText(sql`newest.traded_at`)} as newest_at
     from ${changedSides(changes)} cross join lateral (
       select max(${l.tradedAt}) as traded_at from ${l} join ${t} on ${t.id} = ${l.traderId} join ${o} on ${o.id} = ${l.outcomeId}
       where ${l.marketId} = changed.market_id and ${l.tradedAt} > ${since}::timestamptz and ${l.tradedAt} <= now()
         and ${l.tradedAt} > now() - make_interval(hours => ${FLOW_WINDOW_HOURS[window]}::int)
         and ${isGradeIn(t.grade, GRADES)}
         and ((${l.side} = 'BUY') = (${o.outcomeIndex} = 0)) = (changed.side = 'yes')
     ) newest where changed.side <> 'none' and newest.traded_at is not null`,
    z.object({ market_id: z.string(), newest_at: z.string() }),
  );
  return new Map(rows.map((row) => [row.market_id, row.newest_at]));
}

/** The event's data, as the contract's WebhookSharpMoneyFlowDetectedData defines it. */
function presentAlert(row: FlowCrossing, window: FlowWindow) {
  const netMicro = row.net_micro;
  return {
    condition_id: row.condition_id,
    net_flow_usd: presentUsd(netMicro),
    abs_net_flow_usd: presentUsd(netMicro < 0n ? -netMicro : netMicro),
    dominant_side: row.now,
    grade_floor: FLOW_ALERT_GRADE_FLOOR,
    whale_trade_count: row.trade_count,
    window,
  };
}
