import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database, Session } from "../../../src/db/client.ts";
import { loadBoard } from "../../../src/ingest/edge/load-board.ts";
import { listObservations, listSignals, readBoard } from "../../../src/queries/edge/edge-entries.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

let db: Database;

/** Three generations of 2,000 rows before the kickoff, three of 500 in play, and 20,000 games with a market each, of which 200 are on the board. */
beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into list_generations (list, built_at, row_count) select 'edge:pre_game', now(), 2000 from generate_series(1, 3)`,
    sql`insert into edge_entries (generation, cohort, rank, condition_id, sport, kickoff_at, top_grade, is_emerging, pile)
      select g, case when r % 2 = 0 then 'signal' else 'wider_holder' end, r, 'c' || r, 'Soccer', now(), 'A', false, '{}'
      from generate_series(1, 3) g, generate_series(1, 2000) r`,
    sql`insert into list_generations (list, built_at, row_count) select 'edge:in_play', now(), 500 from generate_series(1, 3)`,
    sql`insert into edge_entries (generation, cohort, rank, condition_id, sport, kickoff_at, top_grade, is_emerging, pile)
      select g, 'in_play', r, 'c' || r, 'Soccer', now(), 'A', false, '{}' from generate_series(4, 6) g, generate_series(1, 500) r`,
    sql`insert into games (provider_game_id, event_slug, sport, scheduled_at, competitors, observed_at)
      select 'g' || n, 'game-' || n, 'Soccer', now() + make_interval(hours => case when n <= 200 then 2 else -n end), '[]', now()
      from generate_series(1, 20000) n`,
    sql`insert into markets (condition_id, game_id, market_type)
      select 'condition-' || n, 'g' || n, 'moneyline' from generate_series(1, 20000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index)
      select m.id, m.id || '-' || side, side from markets m cross join generate_series(0, 1) side`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

describe("reads", () => {
  test.for<[string, (explained: Database) => Promise<unknown>]>([
    [
      "signals",
      (explained) =>
        listSignals(
          explained,
          { category: "Soccer", horizonHours: 12, grades: ["S", "A"] },
          { cursor: { generation: 2, rank: 900 }, limit: 20 },
          NOW,
        ),
    ],
    ...(["wider_holder", "emerging_pile", "in_play"] as const).map(
      (cohort): [string, (explained: Database) => Promise<unknown>] => [
        `observations of the cohort ${cohort}`,
        (explained) => listObservations(explained, { cohort, category: "Soccer" }, { cursor: null, limit: 20 }, NOW),
      ],
    ),
    // An explained statement returns no row, which the query refuses.
    ["counts of the board", (explained) => readBoard(explained, NOW).catch(() => null)],
  ])("%s read one generation by its key", async ([, query]) => {
    const plan = await planOf(db, query);
    expect(plan).toContain("edge_entries_generation_cohort_rank_pk");
    expect(plan).not.toContain("Seq Scan on edge_entries");
  });
});

test("the build finds the games of the board by their time, and their markets by game", async () => {
  // A session and a database send statements in the same way.
  const plan = await planOf(db, (explained) => loadBoard(explained as unknown as Session));
  for (const index of ["games_schedule", "markets_game", "outcomes_market_index"]) expect(plan).toContain(index);
  expect(plan).not.toMatch(/Seq Scan on (games|markets|outcomes)/);
});
