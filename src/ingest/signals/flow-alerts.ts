import type { Session } from "../../db/client.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/flow-windows.ts";
import { gradesFrom } from "../../domain/grades.ts";
import { presentUsd } from "../../domain/money.ts";
import { leastReaching, toMicro } from "../../scoring/dollar-floor.ts";
import { flowSideOf, type FlowSide } from "../../scoring/signals/flow-side.ts";
import { FLOW_ALERT_GRADE_FLOOR, FLOW_ALERT_USD } from "../../scoring/signals/parameters.ts";
import { publish } from "../outbox.ts";

const GRADES = gradesFrom(FLOW_ALERT_GRADE_FLOOR);

interface StandingRow {
  readonly market_id: string;
  readonly condition_id: string;
  readonly net_micro: string;
  readonly trade_count: string;
  readonly side: FlowSide;
}

type Moved = StandingRow & { readonly now: FlowSide };
/** Come to stand on a side. */
type Taken = StandingRow & { readonly now: Exclude<FlowSide, "none"> };

const isTaken = (row: Moved): row is Taken => row.now !== "none";

/**
 * Announces the markets whose ranked flow has come to stand beyond the threshold of its window on another side (`flowSideOf`), and keeps where
 * each stands. All of it is part of the transaction that writes the generation: a crossing is announced with it, once, or not at all.
 *
 * Only what we could have watched is news: the side's money has to include a trade made after `since`. A database that is being filled with
 * the past therefore says nothing of it, while what was made during a standstill is announced once it has been read.
 *
 * @param since when the first generation of the window was built, ISO
 */
export async function announceFlows(session: Session, window: FlowWindow, generation: number, since: string): Promise<void> {
  const thresholdMicro = toMicro(FLOW_ALERT_USD[window]);
  const standing = await readStanding(session, window, generation, thresholdMicro);
  const moved = standing
    .map((row) => ({ ...row, now: flowSideOf(BigInt(row.net_micro), row.side, thresholdMicro) }))
    .filter((row) => row.now !== row.side);
  if (moved.length === 0) return;
  await session.query(
    `insert into flow_alerts (market_id, "window", side, changed_at)
     select t.market_id, $2, t.side, now() from unnest($1::bigint[], $3::text[]) as t(market_id, side)
     on conflict (market_id, "window") do update set side = excluded.side, changed_at = excluded.changed_at`,
    [moved.map((row) => row.market_id), window, moved.map((row) => row.now)],
  );
  const watched = await marketsWithNews(session, window, moved, since);
  const news = moved.filter(isTaken).filter((row) => watched.has(row.market_id));
  await publish(
    session,
    news.map((row) => ({ type: "sharp_money_flow_detected" as const, payload: presentAlert(row, window) })),
  );
}

/** The markets that stand on a side, and those with enough to come to stand on one. */
async function readStanding(session: Session, window: FlowWindow, generation: number, thresholdMicro: bigint): Promise<StandingRow[]> {
  const { rows } = await session.query<StandingRow>(
    `with flows as (
       select market_id, sum(net_micro) as net_micro, sum(trade_count) as trade_count
       from flow_entries where generation = $1 and grade = any($2::text[]) group by market_id
     ), standing as (
       select market_id, side from flow_alerts where "window" = $3 and side <> 'none'
     )
     select market_id, m.condition_id, coalesce(f.net_micro, 0)::text as net_micro, coalesce(f.trade_count, 0)::text as trade_count,
       coalesce(s.side, 'none') as side
     from flows f full join standing s using (market_id) join markets m on m.id = market_id
     where s.side is not null or abs(f.net_micro) >= $4::numeric
     order by market_id`,
    [generation, GRADES, window, String(leastReaching(thresholdMicro))],
  );
  return rows;
}

/** Of the markets that came to stand on a side, those where a counted trade for that side was made after `since`. */
async function marketsWithNews(session: Session, window: FlowWindow, moved: readonly Moved[], since: string): Promise<Set<string>> {
  const { rows } = await session.query<{ market_id: string }>(
    `select t.market_id
     from unnest($1::bigint[], $2::text[]) as t(market_id, side)
     where t.side <> 'none' and exists (
       select from large_trades l join traders w on w.id = l.trader_id join outcomes o on o.id = l.outcome_id
       where l.market_id = t.market_id and l.traded_at > $3::timestamptz and l.traded_at <= now()
         and l.traded_at > now() - make_interval(hours => $4::int) and w.grade = any($5::text[])
         and ((l.side = 'BUY') = (o.outcome_index = 0)) = (t.side = 'yes')
     )`,
    [moved.map((row) => row.market_id), moved.map((row) => row.now), since, FLOW_WINDOW_HOURS[window], GRADES],
  );
  return new Set(rows.map((row) => row.market_id));
}

/** The event's data as the contract's WebhookSharpMoneyFlowDetectedData has it. */
function presentAlert(row: Taken, window: FlowWindow) {
  const netMicro = BigInt(row.net_micro);
  return {
    condition_id: row.condition_id,
    net_flow_usd: presentUsd(netMicro),
    abs_net_flow_usd: presentUsd(netMicro < 0n ? -netMicro : netMicro),
    dominant_side: row.now,
    grade_floor: FLOW_ALERT_GRADE_FLOOR,
    whale_trade_count: Number(row.trade_count),
    window,
  };
}
