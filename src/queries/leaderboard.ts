import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import { joinProfile, LISTED_PROFILE, listedProfile } from "./profiles.ts";
import { big, count, iso, selectRows } from "./rows.ts";

const Entry = z.object({
  rank: count,
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(["S", "A", "B"]),
  score: z.number(),
  realized_micro: big,
  volume_micro: big,
  markets_traded: count,
  /** Over all categories, whichever board is read; null for a wallet too far down to be on the overall board. */
  markets_won: count.nullable(),
  markets_decided: count.nullable(),
  ...LISTED_PROFILE,
  last_at: z.string().nullable(),
});

export type LeaderboardRow = z.output<typeof Entry>;

export interface RankedPage<Row> {
  readonly generation: GenerationRow;
  /** One more than asked when there is a next page. */
  readonly rows: Row[];
  /** How many rows the whole list has. */
  readonly total: number;
}

export interface RankedPlace {
  readonly generation: number;
  readonly rank: number;
}

/**
 * A page of the leaderboard, from its newest generation or from the one the place names. Grades and scores are today's: a wallet that has
 * lost its S, A or B since the generation was built is left out.
 *
 * @param category our spelling, or empty for the overall board
 * @param filter keeps the wallets of one strategy; null keeps all
 * @returns null when there is no such generation (any more)
 */
export async function listLeaderboard(
  db: Database,
  category: string,
  filter: { strategy: string | null; now: Date },
  page: { place: RankedPlace | null; limit: number },
): Promise<RankedPage<LeaderboardRow> | null> {
  const strategy = filter.strategy === null ? sql`true` : sql`tp.strategy = ${filter.strategy}`;
  const profiled = filter.strategy === null ? sql`` : joinProfile(sql`e.trader_id`, filter.now);
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration("leaderboard", page.place?.generation ?? null)}), page as (
        select e.rank, e.trader_id, t.address, t.username, t.grade, t.score, e.realized_micro::text as realized_micro,
          e.volume_micro::text as volume_micro, e.markets_traded, overall.markets_won, overall.markets_decided,
          ${listedProfile}, ${iso(sql`tt.last_at`)} as last_at
        from g join leaderboard_entries e on e.generation = g.id and e.category = ${category} and e.rank > ${page.place?.rank ?? 0}
        join traders t on t.id = e.trader_id and t.grade in ('S', 'A', 'B') left join trader_totals tt on tt.trader_id = e.trader_id
        left join leaderboard_entries overall
          on overall.generation = g.id and overall.category = '' and overall.trader_id = e.trader_id
        ${joinProfile(sql`e.trader_id`, filter.now)}
        where ${strategy}
        order by e.rank limit ${page.limit + 1}
      )
      select to_jsonb(g) as generation, to_jsonb(page) as entry,
        (select count(*) from leaderboard_entries e join traders t on t.id = e.trader_id and t.grade in ('S', 'A', 'B') ${profiled}
          where e.generation = g.id and e.category = ${category} and ${strategy}) as total
      from g left join page on true order by page.rank`,
    z.object({ generation: GenerationRow, entry: Entry.nullable(), total: count }),
  );
  return toPage(rows);
}

const TrendingEntry = z.object({
  rank: count,
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  profile_image: z.string().nullable(),
  grade: z.enum(["S", "A", "B", "C", "D", "F"]).nullable(),
  provider_pnl: z.string(),
  provider_volume_shares: z.string().nullable(),
  window_volume_micro: big.nullable(),
  window_markets_traded: count,
  window_trade_days: count,
  streak_tier: LISTED_PROFILE.streak_tier,
  daily_pnl: z.array(z.object({ date: z.string(), pnl_micro: big })),
  synced_at: z.string().nullable(),
});

export type TrendingRow = z.output<typeof TrendingEntry>;

/** A page of the provider's board of a window. @returns null when there is no such generation (any more) */
export async function listTrending(
  db: Database,
  window: "7d" | "30d",
  now: Date,
  page: { place: RankedPlace | null; limit: number },
): Promise<RankedPage<TrendingRow> | null> {
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration(`trending:${window}`, page.place?.generation ?? null)}), page as (
        select e.rank, e.trader_id, t.address, t.username, t.profile_image, t.grade, e.provider_pnl::text as provider_pnl,
          e.provider_volume_shares::text as provider_volume_shares, e.window_volume_micro::text as window_volume_micro,
          e.window_markets_traded, e.window_trade_days, e.daily_pnl, tp.streak_tier,
          ${iso(sql`s.complete_at`)} as synced_at
        from g join trending_entries e on e.generation = g.id and e.rank > ${page.place?.rank ?? 0}
        join traders t on t.id = e.trader_id left join wallet_syncs s on s.trader_id = e.trader_id
        ${joinProfile(sql`e.trader_id`, now)}
        order by e.rank limit ${page.limit + 1}
      )
      select to_jsonb(g) as generation, to_jsonb(page) as entry, g.row_count as total
      from g left join page on true order by page.rank`,
    z.object({ generation: GenerationRow, entry: TrendingEntry.nullable(), total: count }),
  );
  return toPage(rows);
}

function toPage<Row>(rows: readonly { generation: GenerationRow; entry: Row | null; total: number }[]): RankedPage<Row> | null {
  const first = rows[0];
  if (first === undefined) return null;
  return { generation: first.generation, total: first.total, rows: rows.flatMap((row) => row.entry ?? []) };
}
