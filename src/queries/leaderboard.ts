import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isHistoryKnown, isOrdinary, leftOut } from "../db/completeness.ts";
import { GRADES } from "../domain/grades.ts";
import { LeftOut } from "../domain/wallet-completeness.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import { joinProfile, LISTED_PROFILE, listedProfile } from "./profiles.ts";
import { joinProviderFigures, PROVIDER_FIGURES, providerFigures } from "./provider-figures.ts";
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
  /** Over all categories, whichever board is read; null on a category's board of a generation that did not know. */
  markets_won: count.nullable(),
  markets_decided: count.nullable(),
  ...LISTED_PROFILE,
  ...PROVIDER_FIGURES,
  /** What its profit and win rate leave out by now. */
  left_out: LeftOut,
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
 * A page of the leaderboard, from its newest generation or from the one the place names. Grades and scores are the generation's, so that a walk
 * meets every wallet once; of a generation older than these columns they are today's, and a wallet without an S, A or B is left out.
 *
 * @param category our spelling, or empty for the overall board
 * @param filter keeps the wallets that have one strategy now; null keeps all
 * @returns null when there is no such generation (any more)
 */
export async function listLeaderboard(
  db: Database,
  category: string,
  filter: { strategy: string | null; now: Date },
  page: { place: RankedPlace | null; limit: number },
): Promise<RankedPage<LeaderboardRow> | null> {
  const counts = sql`case when e.grade is not null or e.category = '' then`;
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration("leaderboard", page.place?.generation ?? null)}), chosen as materialized (
        select e.* from g join leaderboard_entries e on e.generation = g.id and e.category = ${category} and e.rank > ${page.place?.rank ?? 0}
        where ${isListed(filter)}
        order by e.rank limit ${page.limit + 1}
      ), page as (
        select e.rank, e.trader_id, t.address, t.username, coalesce(e.grade, t.grade) as grade, coalesce(e.score, t.score) as score,
          e.realized_micro::text as realized_micro, e.volume_micro::text as volume_micro, e.markets_traded,
          ${counts} e.markets_won end as markets_won, ${counts} e.markets_decided end as markets_decided,
          ${listedProfile}, ${providerFigures}, ${sql.raw(leftOut("tt"))} as left_out, ${iso(sql`tt.last_at`)} as last_at
        from chosen e join traders t on t.id = e.trader_id left join trader_totals tt on tt.trader_id = e.trader_id
        ${joinProviderFigures(sql`e.trader_id`)}
        ${joinProfile(sql`e.trader_id`, filter.now)}
      )
      select to_jsonb(g) as generation, to_jsonb(page) as entry,
        -- Of the one generation and not of g: counted for each row otherwise.
        (select count(*) from leaderboard_entries e
          where e.generation = (select id from g) and e.category = ${category} and ${isListed(filter)}) as total
      from g left join page on true order by page.rank`,
    z.object({ generation: GenerationRow, entry: Entry.nullable(), total: count }),
  );
  return toPage(rows);
}

/** Whether an entry `e` is on the list: looked up for each, since a join would read whole tables to filter a board of a thousand rows. */
function isListed({ strategy, now }: { strategy: string | null; now: Date }): SQL {
  const graded = sql`(e.grade is not null or (select t.grade in ('S', 'A', 'B') from traders t where t.id = e.trader_id))`;
  if (strategy === null) return graded;
  return sql`${graded} and (select tp.strategy from (select e.trader_id) w ${joinProfile(sql`w.trader_id`, now)}) = ${strategy}`;
}

const TrendingEntry = z.object({
  rank: count,
  trader_id: count,
  address: z.string(),
  username: z.string().nullable(),
  profile_image: z.string().nullable(),
  grade: z.enum(GRADES).nullable(),
  score: z.number().nullable(),
  /** Realized with fees and rebates, and what is held above its cost; null unless the history in ordinary markets is known and every holding has a price. */
  net_micro: big.nullable(),
  ...PROVIDER_FIGURES,
  provider_pnl: z.string(),
  provider_volume_shares: z.string().nullable(),
  window_volume_micro: big.nullable(),
  window_markets_traded: count,
  window_trade_days: count,
  streak_tier: LISTED_PROFILE.streak_tier,
  daily_pnl: z.array(z.object({ date: z.string(), pnl_micro: big })),
  synced_at: z.string().nullable(),
  followed: z.boolean(),
  gaps: z.array(z.string()).nullable(),
  left_out: LeftOut,
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
    sql`with g as (${selectGeneration(`trending:${window}`, page.place?.generation ?? null)}), chosen as materialized (
        select e.* from g join trending_entries e on e.generation = g.id and e.rank > ${page.place?.rank ?? 0}
        order by e.rank limit ${page.limit + 1}
      ), page as (
        select e.rank, e.trader_id, t.address, t.username, t.profile_image, t.grade, t.score, net.net_micro::text as net_micro,
          ${providerFigures}, e.provider_pnl::text as provider_pnl,
          e.provider_volume_shares::text as provider_volume_shares, e.window_volume_micro::text as window_volume_micro,
          e.window_markets_traded, e.window_trade_days, e.daily_pnl, tp.streak_tier,
          ${iso(sql`s.complete_at`)} as synced_at, s.trader_id is not null as followed, s.gaps, ${sql.raw(leftOut("tt"))} as left_out
        from chosen e join traders t on t.id = e.trader_id left join wallet_syncs s on s.trader_id = e.trader_id
        left join trader_totals tt on tt.trader_id = e.trader_id
        ${joinNetTotal}
        ${joinProviderFigures(sql`e.trader_id`)}
        ${joinProfile(sql`e.trader_id`, now)}
      )
      select to_jsonb(g) as generation, to_jsonb(page) as entry, g.row_count as total
      from g left join page on true order by page.rank`,
    z.object({ generation: GenerationRow, entry: TrendingEntry.nullable(), total: count }),
  );
  return toPage(rows);
}

// `net_total` of src/operations/traders/present-trader-pnl.ts, for wallets in a list.
const joinNetTotal = sql`left join lateral (
    select coalesce(max(w.made_micro), 0)
      + case when bool_and(h.value_micro is not null) filter (where h.trader_id is not null) is not false
        then coalesce(sum(h.value_micro - h.cost_micro), 0) end as net_micro
    from (select s.trader_id, tt.realized_micro + tt.settled_micro - tt.fees_micro + tt.rebates_micro as made_micro) w
    left join positions h on h.trader_id = w.trader_id and h.settled_micro is null and h.shares_micro > 0
      and ${sql.raw(isOrdinary("h", "tt"))}
    where ${sql.raw(isHistoryKnown("s"))}
    having count(*) > 0
  ) net on true`;

function toPage<Row>(rows: readonly { generation: GenerationRow; entry: Row | null; total: number }[]): RankedPage<Row> | null {
  const first = rows[0];
  if (first === undefined) return null;
  return { generation: first.generation, total: first.total, rows: rows.flatMap((row) => row.entry ?? []) };
}
