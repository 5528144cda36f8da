import type { Session } from "../../db/client.ts";
import { isCombination } from "../../db/completeness.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/flow-windows.ts";
import { closeGeneration, isCurrent, openGeneration } from "../read-models/generation.ts";
import { announceFlows } from "./flow-alerts.ts";

// Any number unique to this purpose.
const FLOWS_LOCK = 7_201_443;

/**
 * What each grade's wallets moved through each market in the last `$1` hours, as large trades show it: `marketFlows` of
 * src/scoring/signals/market-flow.ts, by the wallet's grade now. A wallet has one grade, so grades add up, its wallets too. Combinations of markets
 * are left out.
 */
const FLOWS = `
  select market_id, grade, sum(case when (side = 'BUY') = (outcome_index = 0) then size_usd_micro else -size_usd_micro end)::bigint as net_micro,
    coalesce(sum(size_usd_micro) filter (where side = 'BUY'), 0)::bigint as buy_micro,
    coalesce(sum(size_usd_micro) filter (where side = 'SELL'), 0)::bigint as sell_micro,
    count(*)::int as trade_count, count(distinct trader_id)::int as wallet_count
  from (
    select l.market_id, l.trader_id, l.side, l.size_usd_micro, coalesce(t.grade, '') as grade, o.outcome_index
    from large_trades l join traders t on t.id = l.trader_id join outcomes o on o.id = l.outcome_id
      join markets m on m.id = l.market_id and not ${isCombination("m.condition_id")}
    where l.traded_at > now() - make_interval(hours => $1::int) and l.traded_at <= now() and o.outcome_index in (0, 1)
      and not exists (select from outcomes x where x.market_id = l.market_id and x.outcome_index > 1)
  ) directed
  group by market_id, grade`;

/**
 * Rebuilds the flows of one window when they have changed: trades have come or have grown too old, or a wallet has another grade. Otherwise
 * the generation stands, because what it says still holds. What has come to stand beyond the threshold is announced with it.
 *
 * One builds at a time: two would both find the same crossing. Who comes second leaves it to the first, whose word is as new as its own.
 *
 * @returns whether a new generation was built
 */
export async function buildFlows(session: Session, window: FlowWindow): Promise<boolean> {
  const list = `flows:${window}`;
  const hours = FLOW_WINDOW_HOURS[window];
  const { rows: locks } = await session.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${FLOWS_LOCK}) as taken`);
  if (locks[0]?.taken !== true) return false;
  const { rows: digests } = await session.query<{ digest: string }>(
    `with flows as (${FLOWS})
     select md5(coalesce(string_agg(flows::text, ';' order by market_id, grade), '')) as digest from flows`,
    [hours],
  );
  const input = digests[0]?.digest ?? "";
  if (await isCurrent(session, list, input)) return false;
  const since = await startOf(session, list);
  const generation = await openGeneration(session, list, { input, since });
  const { rows } = await session.query<{ markets: string }>(
    `with flows as (${FLOWS}), written as (
       insert into flow_entries (generation, market_id, grade, net_micro, buy_micro, sell_micro, trade_count, wallet_count)
       select $2, market_id, grade, net_micro, buy_micro, sell_micro, trade_count, wallet_count from flows
       returning market_id
     )
     select count(distinct market_id) as markets from written`,
    [hours, generation],
  );
  await closeGeneration(session, list, generation, Number(rows[0]?.markets));
  await announceFlows(session, window, generation, since);
  return true;
}

/** When the list's first generation was built, which each one hands to the next; now, where there is none that knows. ISO. */
async function startOf(session: Session, list: string): Promise<string> {
  const { rows } = await session.query<{ since: string }>(
    `select coalesce((select detail ->> 'since' from list_generations where list = $1 order by id desc limit 1),
       to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) as since`,
    [list],
  );
  const since = rows[0]?.since;
  if (since === undefined) throw new Error(`${list} has no start`);
  return since;
}
