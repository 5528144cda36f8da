import type { Session } from "../../db/client.ts";
import { FLOW_WINDOW_HOURS, type FlowWindow } from "../../domain/flow-windows.ts";
import { closeGeneration, isCurrent, openGeneration } from "../read-models/generation.ts";

/**
 * What each grade's wallets moved through each market in the last `$1` hours, as large trades show it: `marketFlows` of
 * src/scoring/signals/market-flow.ts, by the wallet's grade now. A wallet has one grade, so grades add up, its wallets too.
 */
const FLOWS = `
  select market_id, grade, sum(case when (side = 'BUY') = (outcome_index = 0) then size_usd_micro else -size_usd_micro end)::bigint as net_micro,
    coalesce(sum(size_usd_micro) filter (where side = 'BUY'), 0)::bigint as buy_micro,
    coalesce(sum(size_usd_micro) filter (where side = 'SELL'), 0)::bigint as sell_micro,
    count(*)::int as trade_count, count(distinct trader_id)::int as wallet_count
  from (
    select l.market_id, l.trader_id, l.side, l.size_usd_micro, coalesce(t.grade, '') as grade, o.outcome_index
    from large_trades l join traders t on t.id = l.trader_id join outcomes o on o.id = l.outcome_id
    where l.traded_at > now() - make_interval(hours => $1::int) and l.traded_at <= now() and o.outcome_index in (0, 1)
      and not exists (select from outcomes x where x.market_id = l.market_id and x.outcome_index > 1)
  ) directed
  group by market_id, grade`;

/**
 * Rebuilds the flows of one window when they have changed: trades have come or have grown too old, or a wallet has another grade. Otherwise
 * the generation stands, because what it says still holds.
 *
 * @returns whether a new generation was built
 */
export async function buildFlows(session: Session, window: FlowWindow): Promise<boolean> {
  const list = `flows:${window}`;
  const hours = FLOW_WINDOW_HOURS[window];
  const { rows: digests } = await session.query<{ digest: string }>(
    `with flows as (${FLOWS})
     select md5(coalesce(string_agg(flows::text, ';' order by market_id, grade), '')) as digest from flows`,
    [hours],
  );
  const input = digests[0]?.digest ?? "";
  if (await isCurrent(session, list, input)) return false;
  const generation = await openGeneration(session, list, { input });
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
  return true;
}
