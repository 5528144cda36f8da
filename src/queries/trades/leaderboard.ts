import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { p, s, t, totals, tp } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import {
  excludedActivityJson,
  isHistoryKnown,
  isInKnownMarket,
  selectHistoryFacts,
} from "../../db/fragments/completeness.ts";
import { isRankedGrade } from "../../db/fragments/grades.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { bookedProfit } from "../../db/fragments/profit.ts";
import { jobHeartbeats, leaderboardEntries, trendingEntries } from "../../db/schema.ts";
import { alias, bigintText, integer, isoText, selectRows } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { ExcludedActivity, HISTORY_FACTS } from "../../domain/traders/trader-completeness.ts";
import { GenerationRow, selectGeneration } from "../list-generations.ts";
import { joinProfile, LISTED_PROFILE, listedProfile } from "../traders/profiles.ts";
import { joinProviderFigures, PROVIDER_FIGURES, providerFigures } from "../traders/provider-figures.ts";
import type { PageRequest } from "../page-request.ts";

// Also the rows of a common table expression that passes all their columns on.
const entry = alias(leaderboardEntries, "e");
const trending = alias(trendingEntries, "e");

const Entry = z.object({
  rank: integer,
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(["S", "A", "B"]),
  score: z.number(),
  realized_micro: bigintText,
  volume_micro: bigintText,
  markets_traded: integer,
  /**
   * Over all categories, whichever leaderboard is read; null on a category's leaderboard of a generation
   * without these figures.
   */
  markets_won: integer.nullable(),
  markets_decided: integer.nullable(),
  ...LISTED_PROFILE,
  ...PROVIDER_FIGURES,
  /** What its profit and win rate currently exclude. */
  left_out: ExcludedActivity,
  last_at: z.string().nullable(),
});

export type LeaderboardRow = z.output<typeof Entry>;

export interface RankedPage<Row> {
  readonly generation: GenerationRow;
  /** One more than the limit when there is a next page. */
  readonly rows: Row[];
  /** Number of rows of the whole list. */
  readonly total: number;
}

export interface RankedCursor {
  readonly generation: number;
  readonly rank: number;
}

/**
 * A page of the leaderboard, from its newest generation or from the one in the cursor. Grades and scores are
 * those of the generation, so that pagination returns every trader once. For a generation older than these
 * columns they are current, and traders without S, A or B are omitted.
 *
 * @param category our spelling, or empty for the overall leaderboard
 * @param filter keeps the traders that currently have one strategy; null keeps all
 * @returns null when that generation does not exist (any more)
 */
export async function listLeaderboard(
  db: Database,
  category: string,
  filter: { strategy: string | null; now: Date },
  page: PageRequest<RankedCursor>,
): Promise<RankedPage<LeaderboardRow> | null> {
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration("leaderboard", page.cursor?.generation ?? null)}), chosen as materialized (
        select e.* from g join ${entry} on ${entry.generation} = g.id and ${entry.category} = ${category}
          and ${entry.rank} > ${page.cursor?.rank ?? 0}
        where ${isListed(filter)}
        order by ${entry.rank} limit ${page.limit + 1}
      ), page as (${selectEntries(filter.now)})
      select to_jsonb(g) as generation, to_jsonb(page) as entry,
        -- A scalar subquery, not a join to g: joined, it would be counted for each row.
        (select count(*) from ${entry}
          where ${entry.generation} = (select id from g) and ${entry.category} = ${category}
            and ${isListed(filter)}) as total
      from g left join page on true order by page.rank`,
    z.object({ generation: GenerationRow, entry: Entry.nullable(), total: integer }),
  );
  return toPage(rows);
}

/** The rows of `chosen` with their traders' current figures. */
function selectEntries(now: Date): SQL {
  const counts = sql`case when ${entry.grade} is not null or ${entry.category} = '' then`;
  return sql`
    select ${entry.rank}, ${entry.traderId}, ${t.address}, ${t.username}, coalesce(${entry.grade}, ${t.grade}) as grade,
      coalesce(${entry.score}, ${t.score}) as score, ${entry.realizedMicro}::text as realized_micro,
      ${entry.volumeMicro}::text as volume_micro, ${entry.marketsTraded},
      ${counts} ${entry.marketsWon} end as markets_won, ${counts} ${entry.marketsDecided} end as markets_decided,
      ${listedProfile}, ${providerFigures}, ${excludedActivityJson(totals, s)} as left_out,
      ${isoText(totals.lastAt)} as last_at
    from chosen e join ${t} on ${t.id} = ${entry.traderId}
    left join ${s} on ${s.traderId} = ${entry.traderId}
    left join ${totals} on ${totals.traderId} = ${entry.traderId}
    ${joinProviderFigures(sql`${entry.traderId}`)}
    ${joinProfile(sql`${entry.traderId}`, now)}`;
}

/**
 * SQL condition: entry `e` is on the list. A lookup per entry: a join would read whole tables to filter a
 * leaderboard of a thousand rows.
 */
function isListed({ strategy, now }: { strategy: string | null; now: Date }): SQL {
  const graded = sql`(${entry.grade} is not null or (select ${isRankedGrade(t.grade)} from ${t}
    where ${t.id} = ${entry.traderId}))`;
  if (strategy === null) return graded;
  return sql`${graded} and (select ${tp.strategy}
    from (select ${entry.traderId}) w ${joinProfile(sql`w.trader_id`, now)}) = ${strategy}`;
}

const TrendingEntry = z.object({
  rank: integer,
  trader_id: integer,
  address: z.string(),
  username: z.string().nullable(),
  profile_image: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  score: z.number().nullable(),
  /**
   * Realized profit with fees and rebates, plus the unrealized profit of open positions. Null unless the
   * history in ordinary markets is known and every open position has a price.
   */
  net_micro: bigintText.nullable(),
  /** When the valuation job last had nothing left to do; null before its first run. */
  valued_at: z.string().nullable(),
  ...PROVIDER_FIGURES,
  provider_pnl: z.string(),
  provider_volume_shares: z.string().nullable(),
  window_volume_micro: bigintText.nullable(),
  window_markets_traded: integer,
  window_trade_days: integer,
  streak_tier: LISTED_PROFILE.streak_tier,
  daily_pnl: z.array(z.object({ date: z.string(), pnl_micro: bigintText })),
  ...HISTORY_FACTS,
});

export type TrendingRow = z.output<typeof TrendingEntry>;

/**
 * A page of the provider's leaderboard of a window.
 *
 * @returns null when that generation does not exist (any more)
 */
export async function listTrending(
  db: Database,
  window: "7d" | "30d",
  now: Date,
  page: PageRequest<RankedCursor>,
): Promise<RankedPage<TrendingRow> | null> {
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration(`trending:${window}`, page.cursor?.generation ?? null)}), chosen as materialized (
        select e.* from g join ${trending} on ${trending.generation} = g.id
          and ${trending.rank} > ${page.cursor?.rank ?? 0}
        order by ${trending.rank} limit ${page.limit + 1}
      ), page as (
        select ${trending.rank}, ${trending.traderId}, ${t.address}, ${t.username}, ${t.profileImage}, ${t.grade},
          ${t.score}, net.net_micro::text as net_micro,
          (select ${isoText(jobHeartbeats.succeededAt)} from ${jobHeartbeats} where ${jobHeartbeats.job} = 'value_positions')
            as valued_at,
          ${providerFigures}, ${trending.providerPnl}::text as provider_pnl,
          ${trending.providerVolumeShares}::text as provider_volume_shares,
          ${trending.windowVolumeMicro}::text as window_volume_micro,
          ${trending.windowMarketsTraded}, ${trending.windowTradeDays}, ${trending.dailyPnl}, ${tp.streakTier},
          ${selectHistoryFacts(totals, s)}
        from chosen e join ${t} on ${t.id} = ${trending.traderId} left join ${s} on ${s.traderId} = ${trending.traderId}
        left join ${totals} on ${totals.traderId} = ${trending.traderId}
        ${joinNetTotal}
        ${joinProviderFigures(sql`${trending.traderId}`)}
        ${joinProfile(sql`${trending.traderId}`, now)}
      )
      select to_jsonb(g) as generation, to_jsonb(page) as entry, g.row_count as total
      from g left join page on true order by page.rank`,
    z.object({ generation: GenerationRow, entry: TrendingEntry.nullable(), total: integer }),
  );
  return toPage(rows);
}

// `net_total` of src/operations/traders/present/present-trader-pnl.ts, for the traders of a list.
const joinNetTotal = sql`left join lateral (
    select coalesce(max(w.made_micro), 0)
      + case when bool_and(${p.valueMicro} is not null) filter (where ${p.traderId} is not null) is not false
        then coalesce(sum(${p.valueMicro} - ${p.costMicro}), 0) end as net_micro
    from (select ${s.traderId}, ${bookedProfit(totals)} as made_micro) w
    left join ${p} on ${p.traderId} = w.trader_id and ${isOpen(p)}
      and ${isInKnownMarket(p, totals)}
    where ${isHistoryKnown(s)}
    having count(*) > 0
  ) net on true`;

function toPage<Row>(
  rows: readonly { generation: GenerationRow; entry: Row | null; total: number }[],
): RankedPage<Row> | null {
  const first = rows[0];
  if (first === undefined) return null;
  return { generation: first.generation, total: first.total, rows: rows.flatMap((row) => row.entry ?? []) };
}
