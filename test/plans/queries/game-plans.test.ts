import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { findGame } from "../../../src/queries/games/find-game.ts";
import { listGames, type GameFilter } from "../../../src/queries/games/list-games.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf, readsOf } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const ALL: GameFilter = { sport: null, league: null, state: null, startsAfter: null, startsBefore: null };
const NOW = new Date();

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    // 5,000 games of the next two weeks, 20,000 of the last 70 days that are over, and four markets of each. Of the last
    // day's games every twentieth is in play.
    sql`insert into games (provider_game_id, event_slug, sport, league, scheduled_at, competitors, state, live, finished_at, observed_at)
      select 'g' || n, 'game-' || n, 'Soccer', 'league-' || n % 50, kickoff, '[]',
        case when kickoff > now() then 'scheduled' when in_play then 'live' else 'ended' end, in_play,
        case when kickoff <= now() and not in_play then kickoff + interval '2 hours' end, now()
      from (select n, n between 5001 and 5288 and n % 20 = 0 as in_play,
        now() + case when n <= 5000 then n * interval '4 minutes' else (5000 - n) * interval '5 minutes' end
        as kickoff from generate_series(1, 25000) n) scheduled`,
    sql`insert into games (provider_game_id, event_slug, sport, competitors, observed_at)
      select 'u' || n, 'unknown-' || n, 'Soccer', '[]', now() from generate_series(1, 200) n`,
    sql`insert into markets (condition_id, game_id) select 'c' || n, 'g' || (1 + n % 25000) from generate_series(1, 100000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index)
      select id, id || '-' || i, i from markets, generate_series(0, 1) i`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

const readRows = (reads: Awaited<ReturnType<typeof readsOf>>) =>
  reads.reduce((sum, read) => sum + (read["Actual Rows"] + read["Rows Removed by Filter"]) * read["Actual Loops"], 0);

test("the first page reads the games of the last week at most, in index order", async () => {
  const reads = await readsOf(db, "games", (explaining) =>
    listGames(explaining, ALL, { cursor: null, limit: 20 }, NOW),
  );
  // Five days of 288 games that are over and no longer listed, and the rows of the page.
  expect(readRows(reads)).toBeLessThanOrEqual(5 * 288 + 2 * 21);
});

test("a page that begins at a kickoff reads as many games as it shows", async () => {
  const upcoming = { ...ALL, startsAfter: NOW };
  const page = { cursor: null, limit: 20 };
  const reads = await readsOf(db, "games", (explaining) => listGames(explaining, upcoming, page, NOW));
  expect(readRows(reads)).toBeLessThanOrEqual(21);
});

test.each([
  ["live", 14],
  ["paused", 0],
  ["scheduled", 2 * 21],
  // Five days of games that are no longer listed, and the page.
  ["ended", 5 * 288 + 21],
] as const)(
  "a page of the games that are %s reads those of its state, and the games without a kickoff",
  async (state, most) => {
    const page = { cursor: null, limit: 20 };
    const list = (explaining: Database) => listGames(explaining, { ...ALL, state }, page, NOW);
    expect(readRows(await readsOf(db, "games", list))).toBeLessThanOrEqual(most + 200);
  },
);

test("a later page begins at its cursor", async () => {
  const cursor = { kickoffMs: NOW.getTime() + 10_000_000, slug: "game-40" };
  const reads = await readsOf(db, "games", (explaining) => listGames(explaining, ALL, { cursor, limit: 20 }, NOW));
  expect(readRows(reads)).toBeLessThanOrEqual(2 * 21);
});

test("the markets of a page are found by their game, and their outcomes by their market", async () => {
  const plan = await planOf(db, (explaining) => listGames(explaining, ALL, { cursor: null, limit: 20 }, NOW));
  expect(plan).toContain("using games_schedule on games g");
  expect(plan).toContain("markets_game");
  expect(plan).toContain("outcomes_market_index");
  for (const table of ["games", "markets", "outcomes"]) expect(plan).not.toContain(`Seq Scan on ${table}`);
});

test("one game is read by its slug", async () => {
  const plan = await planOf(db, (explaining) => findGame(explaining, "GAME-77", NOW));
  expect(plan).toContain("games_event_slug_unique");
  expect(plan).not.toContain("Seq Scan on markets");
});
