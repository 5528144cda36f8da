import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { StoredMetrics } from "../../../src/domain/traders/stored-profile.ts";
import { findTraders } from "../../../src/queries/traders/traders.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const TRADERS = 5_000;
const NOW = new Date("2026-11-20T12:00:00Z");
/** A minimal profile. */
const PROFILE = {
  metrics: Object.fromEntries(Object.keys(StoredMetrics.shape).map((name) => [name, 1])),
  category_strengths: [],
  category_skill: [],
};
let db: Database;

/** Ten positions a trader, two thousand for the first one, and a leaderboard of a thousand. */
beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address, grade) select 'wallet-' || n, 'A' from generate_series(1, ${TRADERS}::int) n`,
    sql`insert into trader_syncs (trader_id, complete_at) select id, ${NOW.toISOString()}::timestamptz from traders`,
    sql`insert into trader_profiles (trader_id, computed_at, basis, strategy, profile)
      select id, ${NOW.toISOString()}::timestamptz, '', 'mixed', ${JSON.stringify(PROFILE)}::jsonb from traders`,
    sql`insert into markets (condition_id) select 'condition-' || n from generate_series(1, 2000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select t.id, m.id, m.id, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, now(), now(), 2
      from markets m join traders t on t.id = 1 or t.id % 200 = m.id % 200 order by m.id, t.id`,
    sql`insert into list_generations (list, built_at, row_count) values ('leaderboard', now(), 1000)`,
    sql`insert into leaderboard_entries (generation, category, rank, trader_id, grade, score, realized_micro, volume_micro, markets_traded,
        markets_won, markets_decided)
      select 1, case when b = 0 then '' else 'category-' || b end, r, r, 'A', 60, 1, 1, 1, 1, 1
      from generate_series(0, 10) b, generate_series(1, 1000) r`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

const first = (wallets: number) => Array.from({ length: wallets }, (_, n) => ({ address: `wallet-${n + 1}` }));

test("a trader's positions are summed by an index-only scan, however many they are", async () => {
  const nodes = await readsOf(db, "positions", (explaining) => findTraders(explaining, first(25), true, NOW));
  // Once for the sums, once for whether results are awaited.
  const byIndex = ["Index Only Scan", "positions_trader_value"];
  expect(nodes.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([byIndex, byIndex]);
});

test("a trader's rank is looked up by index without a read of the leaderboard", async () => {
  const nodes = await readsOf(db, "leaderboard_entries", (explaining) =>
    findTraders(explaining, first(25), false, NOW),
  );
  expect(rowsRead(nodes)).toBeLessThanOrEqual(25);
});

test("a profile is read only on request, and the other figures are the same", async () => {
  const [brief, whole] = await Promise.all(
    [false, true].map((withProfile) => findTraders(db, first(2), withProfile, NOW)),
  );
  expect(whole?.map((row) => row?.held_value_micro)).toEqual([4_000n, 20n]);
  expect(whole?.[0]).toMatchObject({
    strategy: "mixed",
    quant_metrics: PROFILE.metrics,
    category_strengths: [],
    category_skill: { categories: [] },
  });
  const parts = { awaits_result: null, quant_metrics: null, category_strengths: null, category_skill: null };
  expect(brief).toEqual(whole?.map((row) => ({ ...row, ...parts })));
});
