import type { Session } from "../../db/client.ts";
import { isCombination } from "../../db/completeness.ts";
import type { Page, ProviderBoardRow } from "../../ports/provider.ts";
import { resolveTraders } from "../resolve-ids.ts";
import { setAside } from "../set-aside.ts";
import { trackWallets } from "../track-wallets.ts";
import { closeGeneration, hasGeneration, openGeneration } from "./generation.ts";

export const WINDOW_DAYS = { week: 7, month: 30 } as const;

/**
 * Rebuilds a trending list: the provider's weekly or monthly P&L board in its own order, with what our records say about each wallet in
 * the window: whole UTC days, today the last. Nothing of a combination is a profit. Wallets on a board are followed from then on. A board without rows replaces none, for the
 * provider always has winners; it is the list only where there was no other.
 */
export async function buildTrending(session: Session, period: "week" | "month", board: Page<ProviderBoardRow>): Promise<void> {
  const days = WINDOW_DAYS[period];
  const list = `trending:${days}d`;
  await setAside(session, `board:${period}`, board.misfits);
  if (board.rows.length === 0 && (await hasGeneration(session, list))) return;
  // A board that moves while its pages are read may show a wallet twice: its better place counts.
  const wallets = [...Map.groupBy(board.rows, (row) => row.wallet.address).values()].flatMap(([first]) => first ?? []);
  const ids = await resolveTraders(
    session,
    wallets.map((row) => row.wallet),
  );
  await trackWallets(session, [...ids.values()], "hot");
  const generation = await openGeneration(session, list, {});
  await session.query(
    `with board as (
       select * from unnest($2::int[], $3::bigint[], $4::numeric[], $5::numeric[]) as t(rank, trader_id, pnl, volume)
     ), entries as (
       select e.trader_id, e.market_id, e.kind, e.usd_micro, (e.traded_at at time zone 'UTC')::date as day,
         case when not ${isCombination("m.condition_id")} then e.realized_micro end as realized_micro
       from board join ledger_entries e using (trader_id) join markets m on m.id = e.market_id
       where e.traded_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => $6 - 1)
     ), settled as (
       select p.trader_id, m.settled_on as day, p.settled_micro
       from board join positions p using (trader_id) join markets m on m.id = p.market_id
       where p.settled_micro is not null
         and m.settled_on > (now() at time zone 'UTC')::date - $6::int
     ), daily as (
       select trader_id, day, sum(pnl_micro) as pnl_micro from (
         select trader_id, day, realized_micro as pnl_micro from entries where realized_micro is not null
         union all select trader_id, day, settled_micro from settled
       ) moves group by trader_id, day
     )
     insert into trending_entries
       (generation, rank, trader_id, provider_pnl, provider_volume_shares, window_volume_micro, window_markets_traded, window_trade_days,
        daily_pnl)
     select $1, b.rank, b.trader_id, b.pnl, b.volume,
       case when s.complete_at is not null then (select coalesce(sum(usd_micro), 0) from entries e
         where e.trader_id = b.trader_id and e.kind in ('buy', 'sell')) end,
       (select count(distinct market_id) from entries e where e.trader_id = b.trader_id),
       (select count(distinct day) from entries e where e.trader_id = b.trader_id),
       coalesce((select jsonb_agg(jsonb_build_object('date', d.day, 'pnl_micro', d.pnl_micro::text) order by d.day)
         from daily d where d.trader_id = b.trader_id), '[]')
     from board b left join wallet_syncs s on s.trader_id = b.trader_id`,
    [
      generation,
      wallets.map((_, index) => index + 1),
      wallets.map((row) => ids.get(row.wallet.address)),
      wallets.map((row) => row.pnlUsd),
      wallets.map((row) => row.volumeShares),
      days,
    ],
  );
  await closeGeneration(session, list, generation, wallets.length);
}
