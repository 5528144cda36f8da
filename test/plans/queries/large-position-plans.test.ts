import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { listLargePositions, type LargePositionFilters } from "../../../src/queries/positions/large-positions.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const TRADERS = 20_000;
const NOW = new Date("2026-11-20T12:00:00Z");
const EVERYTHING: LargePositionFilters = {
  minSizeUsd: 1_000,
  categories: null,
  grades: ["S", "A", "B", "C", "D", "F"],
  market: null,
};
const FIRST = { cursor: null, limit: 20 };
const DEEP = { cursor: { generation: 2, rank: 1_000 }, limit: 20 };

let db: Database;

/** Three generations of 2,000 positions of different traders, among 20,000 traders and markets. */
beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address, grade) select 'wallet-' || n, 'A' from generate_series(1, ${TRADERS}::int) n`,
    sql`insert into trader_syncs (trader_id, complete_at) select id, ${NOW.toISOString()}::timestamptz from traders`,
    sql`insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at)
      select id, 1, 1, 1, 0, 1, now(), now() from traders`,
    sql`insert into trader_profiles (trader_id, computed_at, basis, profile) select id, ${NOW.toISOString()}::timestamptz, '', '{}' from traders`,
    sql`insert into provider_events (slug) select 'event-' || n from generate_series(1, ${TRADERS}::int) n`,
    sql`insert into markets (condition_id, event_id) select 'condition-' || n, n from generate_series(1, ${TRADERS}::int) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
      select t.id, n, n, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, now(), now() from traders t, generate_series(1, 5) n`,
    sql`insert into list_generations (list, built_at, row_count) select 'large_positions', now(), 2000 from generate_series(1, 3)`,
    sql`insert into large_position_entries (generation, rank, trader_id, market_id, event_id, grade, category, value_micro, holdings, first_seen_at,
        last_seen_at, updated_at)
      select g, r, r * 7, r * 3, r * 3, 'A', case when r % 10 = 0 then 'Politics' else 'Crypto' end, 100000000000 - r, '[]', ${NOW.toISOString()},
        ${NOW.toISOString()}, ${NOW.toISOString()}
      from generate_series(1, 3) g, generate_series(1, 2000) r`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

test.for<[string, LargePositionFilters, typeof FIRST | typeof DEEP]>([
  ["the first page", EVERYTHING, FIRST],
  ["a page further on", EVERYTHING, DEEP],
  ["with a higher minimum", { ...EVERYTHING, minSizeUsd: 50_000 }, FIRST],
  ["of a category", { ...EVERYTHING, categories: ["politics"] }, FIRST],
  ["of one grade", { ...EVERYTHING, grades: ["A"] }, DEEP],
  ["of a market", { ...EVERYTHING, market: { conditionId: "condition-300" } }, FIRST],
])(
  "a page of large positions, %s, reads one generation by index, and its traders and markets by key",
  async ([, filters, page]) => {
    const plan = await planOf(db, (explained) => listLargePositions(explained, filters, page, NOW));
    expect(plan).toMatch(/large_position_entries_(generation_rank_pk|key)/);
    for (const index of ["traders_pkey", "markets_pkey"]) expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on (?!list_generations)/);
    // A merge join would read whole tables in the order of an index.
    expect(plan).not.toContain("Merge Join");
  },
);
