import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { listLeaderboard, listTrending } from "../../../src/queries/trades/leaderboard.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const TRADERS = 20_000;
const BOARDS = 20;
const NOW = new Date("2026-11-20T12:00:00Z");
let db: Database;

/**
 * Three generations of twenty category leaderboards of 1,000, among 20,000 traders with profiles, figures and
 * positions.
 */
beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address, grade, score) select 'wallet-' || n, 'A', 60 + n % 30 from generate_series(1, ${TRADERS}::int) n`,
    sql`insert into trader_syncs (trader_id, complete_at) select id, ${NOW.toISOString()}::timestamptz from traders`,
    sql`insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at)
      select id, 1, 1, 1, 0, 1, now(), now() from traders`,
    sql`insert into trader_profiles (trader_id, computed_at, basis, strategy, profile)
      select id, ${NOW.toISOString()}::timestamptz, '', case when id % 10 = 0 then 'mixed' else 'diversified' end, '{}' from traders`,
    sql`insert into provider_figures (trader_id, all_time_pnl_usd, board_as_of) select id, 1, now() from traders`,
    sql`insert into markets (condition_id) select 'condition-' || n from generate_series(1, 5000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
      select t.id, n, n, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, now(), now() from traders t, generate_series(1, 5) n`,
    sql`insert into list_generations (list, built_at, row_count) select 'leaderboard', now(), 1000 from generate_series(1, 3)`,
    sql`insert into list_generations (list, built_at, row_count) values ('trending:7d', now(), 50)`,
    sql`insert into leaderboard_entries (generation, category, rank, trader_id, grade, score, realized_micro, volume_micro, markets_traded,
        markets_won, markets_decided)
      select g, case when b = 0 then '' else 'category-' || b end, r, r * 7 + b, 'A', 60, 1, 1, 1, 1, 1
      from generate_series(1, 3) g, generate_series(0, ${BOARDS}::int) b, generate_series(1, 1000) r`,
    sql`insert into trending_entries (generation, rank, trader_id, provider_pnl, window_markets_traded, window_trade_days, daily_pnl)
      select 4, r, r, 1, 0, 0, '[]' from generate_series(1, 50) r`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

const FIRST = { cursor: null, limit: 20 };
const DEEP = { cursor: { generation: 2, rank: 900 }, limit: 20 };

test.each([
  ["the first page", "", null, FIRST],
  ["a page further on", "", null, DEEP],
  ["a category", "category-3", null, FIRST],
  ["one strategy", "", "mixed", DEEP],
  ["one strategy of a category", "category-3", "mixed", FIRST],
])("the leaderboard, %s, is read by index without a whole table", async (_, category, strategy, page) => {
  const plan = await planOf(db, (explained) => listLeaderboard(explained, category, { strategy, now: NOW }, page));
  expect(plan).toContain("leaderboard_entries_generation_category_rank_pk");
  for (const index of ["traders_pkey", "provider_figures_pkey", "trader_profiles_pkey"]) expect(plan).toContain(index);
  expect(plan).not.toMatch(/Seq Scan on (?!list_generations)/);
  // A merge join would read whole tables in the order of an index.
  expect(plan).not.toContain("Merge Join");
});

test("trending reads its list and each trader's rows by index", async () => {
  const plan = await planOf(db, (explained) => listTrending(explained, "7d", NOW, FIRST));
  for (const index of ["provider_figures_pkey", "positions_"]) expect(plan).toContain(index);
  expect(plan).not.toMatch(/Seq Scan on (?!list_generations|job_heartbeats|trending_entries)/);
});

test("a walk with a strategy returns exactly its traders", async () => {
  const seen: number[] = [];
  for (let cursor: { generation: number; rank: number } | null = null; ;) {
    const page = await listLeaderboard(
      db,
      "category-3",
      { strategy: "mixed", now: NOW },
      { cursor: cursor, limit: 30 },
    );
    const rows = page?.rows.slice(0, 30) ?? [];
    seen.push(...rows.map((row) => row.trader_id));
    expect(page?.total).toBe(100);
    const last = rows.at(-1);
    if (page === null || page.rows.length <= 30 || last === undefined) break;
    cursor = { generation: page.generation.id, rank: last.rank };
  }
  // Rank r is trader 7 r + 3, and every tenth trader is mixed.
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, r) => 7 * (r + 1) + 3).filter((id) => id % 10 === 0));
});
