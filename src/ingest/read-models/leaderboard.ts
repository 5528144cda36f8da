import type { Session } from "../../db/client.ts";
import { isCombination, isHistoryKnown } from "../../db/completeness.ts";
import { closeGeneration, isCurrent, openGeneration } from "./generation.ts";

/** Rows kept per board. */
const BOARD_ROWS = 1_000;

/** Raised when what a row holds changes: the board is then built anew. */
const BOARD_VERSION = "3";

/**
 * Rebuilds the leaderboard: overall and per category, the wallets of grade S, A or B by score, equal ones in the order they were seen. Only
 * those whose history in ordinary markets is known: the figures beside the score would be wrong of the others.
 *
 * Realized P&L of a wallet: what its sales and merges realized, plus payouts less cost in resolved markets, less known fees, plus
 * rebates. Rebates belong to no market, so category boards leave them out. A market counts as won or lost once it has resolved and made
 * any known profit or loss: one with unmatched shares never does. Nothing of a combination is a profit; volume and counts of markets have it.
 * Those counts are of all categories on every board. Grade and score stay with the generation, so that it can be walked to
 * its end whatever is published meanwhile.
 *
 * @returns whether a new generation was built; false when nothing it rests on has changed
 */
export async function buildLeaderboard(session: Session): Promise<boolean> {
  // Some facts change in place: a fee is told after its fill, a payout is reversed, a market gets its category after its trades.
  const { rows: inputs } = await session.query<{ input: string }>(
    `select concat_ws(':', '${BOARD_VERSION}',
       (select max(id) from ledger_entries),
       (select sum(fees_micro) from trader_totals),
       (select sum(hashtext(concat_ws(':', category, payouts_ppm))) from markets where category is not null or payouts_ppm is not null),
       (select count(*) from wallet_syncs s where ${isHistoryKnown("s")}),
       (select max(id) from wallet_activity),
       (select max(id) from trader_grades)) as input`,
  );
  const input = inputs[0]?.input ?? "";
  if (await isCurrent(session, "leaderboard", input)) return false;
  const generation = await openGeneration(session, "leaderboard", { input });
  const { rows } = await session.query<{ rows: string }>(
    `with wallets as (
       select s.trader_id, t.grade, t.score from wallet_syncs s join traders t on t.id = s.trader_id
       where ${isHistoryKnown("s")} and t.grade in ('S', 'A', 'B')
     ), by_market as (
       select p.trader_id, p.market_id, m.category, m.payouts_ppm is not null as resolved,
         case when ${isCombination("m.condition_id")} then 0 else sum(p.realized_micro + coalesce(p.settled_micro, 0) - p.fees_micro) end
           as pnl_micro,
         bool_and(p.unmatched_shares_micro = 0) as is_matched,
         sum(p.bought_usd_micro + p.sold_usd_micro) as volume_micro
       from positions p join wallets using (trader_id) join markets m on m.id = p.market_id
       group by p.trader_id, p.market_id, m.condition_id, m.category, m.payouts_ppm is not null
     ), decided as (
       select trader_id, count(*) filter (where resolved and is_matched and pnl_micro > 0) as markets_won,
         count(*) filter (where resolved and is_matched and pnl_micro <> 0) as markets_decided
       from by_market group by trader_id
     ), boards as (
       select '' as category, b.trader_id, sum(b.pnl_micro) + coalesce(min(t.rebates_micro), 0) as realized_micro,
         sum(b.volume_micro) as volume_micro, count(*) as markets_traded
       from by_market b left join trader_totals t on t.trader_id = b.trader_id
       group by b.trader_id
       union all
       select b.category, b.trader_id, sum(b.pnl_micro), sum(b.volume_micro), count(*)
       from by_market b where b.category is not null
       group by b.category, b.trader_id
     ), ranked as (
       select *, row_number() over (partition by category order by w.score desc, trader_id) as rank
       from boards join wallets w using (trader_id) join decided d using (trader_id)
     ), written as (
       insert into leaderboard_entries
         (generation, category, rank, trader_id, grade, score, realized_micro, volume_micro, markets_traded, markets_won, markets_decided)
       select $1, category, rank, trader_id, grade, score, realized_micro, volume_micro, markets_traded, markets_won, markets_decided
       from ranked where rank <= $2
       returning category
     )
     select count(*) as rows from written where category = ''`,
    [generation, BOARD_ROWS],
  );
  await closeGeneration(session, "leaderboard", generation, Number(rows[0]?.rows));
  return true;
}
