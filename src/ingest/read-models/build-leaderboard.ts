import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, p, s, t, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql, isHistoryKnown } from "../../db/fragments/completeness.ts";
import { isRankedGrade } from "../../db/fragments/grades.ts";
import { positionResult } from "../../db/fragments/profit.ts";
import {
  leaderboardEntries as entries,
  ledgerEntries,
  markets,
  traderActivity,
  traderGrades,
  traderTotals,
} from "../../db/schema.ts";
import { columnName, columnNames, integer, selectRow } from "../../db/sql.ts";
import { closeGeneration, isGenerationCurrent, newestInput, openGeneration } from "./generation.ts";

/** Rows stored per board. */
const BOARD_ROWS = 1_000;

/** Increase when the content of a row changes; the board is then rebuilt. */
const BOARD_VERSION = "3";

/**
 * Rebuilds the leaderboard, overall and per category: the traders of grade S, A or B by score, equal scores
 * by trader id. Only traders whose history in ordinary markets is known are included, because the figures
 * beside the score would be wrong for others.
 *
 * Realized P&L of a trader: the realized result of its sales and merges, plus payouts minus cost in resolved
 * markets, minus known fees, plus rebates. Rebates belong to no market, so category boards leave them out. A
 * market counts as won or lost once it has resolved with a known profit or loss; one with unmatched shares
 * never does. A combination counts in volume and market counts, never in profit. The won and decided counts
 * cover all categories on every board. Grade and score are stored with the generation, so that a client can
 * page to its end whatever is published meanwhile.
 *
 * @returns whether a new generation was built; false when no input has changed
 */
export async function buildLeaderboard(session: Session): Promise<boolean> {
  const input = await readInput(session);
  if (await isGenerationCurrent(session, "leaderboard", input)) return false;
  const generation = await openGeneration(session, "leaderboard", { input });
  const rowCount = await writeEntries(session, generation);
  await closeGeneration(session, "leaderboard", generation, rowCount);
  return true;
}

/** What stands for the markets in the input of a generation that was due before they were read. */
const MARKETS_NOT_READ = "?";

/**
 * A text that changes with each input. Some facts change in place: a fee arrives after its fill, a payout is
 * reversed, a market gets its category after its trades.
 *
 * Under trades another input has changed nearly always, so the million markets are read only when none has. The first build
 * without trades therefore repeats the one before it.
 */
async function readInput(session: Session): Promise<string> {
  const row = await selectRow(
    session,
    sql`with others as (
       select concat_ws(':', ${BOARD_VERSION}::text,
         (select max(${ledgerEntries.id}) from ${ledgerEntries}),
         (select sum(${traderTotals.feesMicro}) from ${traderTotals}),
         (select count(*) from ${s} where ${isHistoryKnown(s)}),
         (select max(${traderActivity.id}) from ${traderActivity}),
         (select max(${traderGrades.id}) from ${traderGrades})) as input
     )
     select concat_ws(':', others.input, case
       when coalesce(starts_with(${newestInput("leaderboard")}, others.input || ':'), true) then
         (select coalesce(sum(hashtext(concat_ws(':', ${markets.category}, ${markets.payoutsPpm}))), 0) from ${markets}
           where ${markets.category} is not null or ${markets.payoutsPpm} is not null)::text
       else ${MARKETS_NOT_READ} end) as input
     from others`,
    z.object({ input: z.string() }),
  );
  if (row === null) throw new Error("the inputs of the leaderboard returned no row");
  return row.input;
}

const COLUMNS = columnNames(
  entries.generation,
  entries.category,
  entries.rank,
  entries.traderId,
  entries.grade,
  entries.score,
  entries.realizedMicro,
  entries.volumeMicro,
  entries.marketsTraded,
  entries.marketsWon,
  entries.marketsDecided,
);

/** @returns the number of rows of the overall board */
async function writeEntries(session: Session, generation: number): Promise<number> {
  const written = await selectRow(
    session,
    sql`with ${FIGURES}, ranked as (
       select *, row_number() over (partition by category order by r.score desc, trader_id) as rank
       from boards join ranked_traders r using (trader_id) join decided d using (trader_id)
     ), written as (
       insert into ${entries} (${COLUMNS})
       select ${generation}, category, rank, trader_id, grade, score, realized_micro, volume_micro, markets_traded,
         markets_won, markets_decided
       from ranked where rank <= ${BOARD_ROWS}
       returning ${columnName(entries.category)}
     )
     select count(*) as rows from written where category = ''`,
    z.object({ rows: integer }),
  );
  if (written === null) throw new Error("the statement that writes the leaderboard returned no row");
  return written.rows;
}

/**
 * Common table expressions: `ranked_traders` are the ranked traders, `decided` their won and decided markets,
 * `boards` their figures overall and per category.
 */
const FIGURES: SQL = sql`
  ranked_traders as (
    select ${s.traderId}, ${t.grade}, ${t.score} from ${s} join ${t} on ${t.id} = ${s.traderId}
    where ${isHistoryKnown(s)} and ${isRankedGrade(t.grade)}
  ), by_market as (
    select ${p.traderId}, ${p.marketId}, ${m.category}, ${m.payoutsPpm} is not null as resolved,
      case when ${isUnknownCombinationSql(m)} then 0
        else sum(${positionResult(p)}) end
        as pnl_micro,
      bool_and(${p.unmatchedSharesMicro} = 0) as is_matched,
      sum(${p.boughtUsdMicro} + ${p.soldUsdMicro}) as volume_micro
    from ${p} join ranked_traders using (${columnName(p.traderId)}) join ${m} on ${m.id} = ${p.marketId}
    group by ${p.traderId}, ${p.marketId}, ${m.id}
  ), decided as (
    select trader_id, count(*) filter (where resolved and is_matched and pnl_micro > 0) as markets_won,
      count(*) filter (where resolved and is_matched and pnl_micro <> 0) as markets_decided
    from by_market group by trader_id
  ), boards as (
    select '' as category, b.trader_id,
      sum(b.pnl_micro) + coalesce(min(${totals.rebatesMicro}), 0) as realized_micro,
      sum(b.volume_micro) as volume_micro, count(*) as markets_traded
    from by_market b left join ${totals} on ${totals.traderId} = b.trader_id
    group by b.trader_id
    union all
    select b.category, b.trader_id, sum(b.pnl_micro), sum(b.volume_micro), count(*)
    from by_market b where b.category is not null
    group by b.category, b.trader_id
  )`;
