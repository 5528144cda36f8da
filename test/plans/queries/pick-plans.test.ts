import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database, Session } from "../../../src/db/client.ts";
import { listFollowed } from "../../../src/ingest/picks/follow-games.ts";
import { listCandidates } from "../../../src/ingest/picks/list-candidates.ts";
import { readPickArchive } from "../../../src/queries/picks/pick-archive.ts";
import { findPickLedgerEntry, listPickLedger } from "../../../src/queries/picks/pick-ledger.ts";
import { readPicksOfDay } from "../../../src/queries/picks/picks-of-day.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf, readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

/** Fifteen picks on each of 1,000 days: nearly three years. Those of the newest day have no result. */
const DAYS = 1_000;
const PICKS = DAYS * 15;
const NEWEST_DAY = "2026-11-20";

let db: Database;

async function fill(target: Database, { days, games }: { days: number; games: number }): Promise<void> {
  const count = sql`${games}::int`;
  const statements = [
    sql`insert into traders (address, grade) select 'w' || n, 'A' from generate_series(1, ${count}) n`,
    sql`insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at)
      select id, 0, 0, 0, 0, 1, now(), now() from traders`,
    sql`insert into provider_events (slug, title) select 'event-' || n, 'Event ' || n from generate_series(1, ${count}) n`,
    sql`insert into games (provider_game_id, event_slug, event_id, title, sport, scheduled_at, competitors, state, observed_at)
      select 'g' || n, 'game-' || n, n, 'Home vs. Away', 'Soccer',
        date_trunc('second', now()) + (n - ${count} + 1000) * interval '10 minutes', '[{"name": "Home"}, {"name": "Away"}]', 'scheduled', now()
      from generate_series(1, ${count}) n`,
    // Four markets of each game, of which the first may be picked.
    sql`insert into markets (condition_id, game_id, market_type, event_id, volume_usd)
      select 'c' || n, 'g' || (1 + (n - 1) % ${count}), case when n <= ${count} then 'moneyline' else 'totals' end, 1 + n % ${count}, n
      from generate_series(1, 4 * ${count}) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index)
      select id, id || '-' || i, i from markets, generate_series(0, 1) i`,
    sql`insert into picks (pick_date, rank, is_free, game_id, market_id, market_kind, outcome_index, outcome_label, matchup, category,
        kickoff, release_at, selected_at, backed_price, published_at, backing)
      select day, rank, rank = 1, n, n, 'moneyline', 0, 'Home', 'Home vs. Away', 'Soccer', kickoff, kickoff - interval '1 hour',
        kickoff - interval '2 hours', 0.5, kickoff - interval '1 hour',
        jsonb_build_object('top_grade', 'A', 'backed_micro', '9000000000', 'opposed_micro', '0', 'holders', (
          select jsonb_agg(jsonb_build_object('trader_id', 1 + (n * 7 + i) % ${count}, 'grade', 'A', 'shares_micro', '1000000'))
          from generate_series(1, 10) i))
      from (select n, ${NEWEST_DAY}::date - (n - 1) / 15 as day, 1 + (n - 1) % 15 as rank,
        (${NEWEST_DAY}::date - (n - 1) / 15) + interval '20 hours' as kickoff from generate_series(1, ${days * 15}::int) n) numbered`,
    sql`insert into pick_commitments (pick_id, hash, sealed_at, kickoff, payload, sealed_nonce, nonce, opened_at)
      select id, lpad(to_hex(id), 64, '0'), published_at, kickoff, '{}', 'v1', lpad(to_hex(id), 64, 'a'), kickoff + interval '3 hours' from picks`,
    sql`insert into pick_revisions (pick_id, outcome, payout_ppm, recorded_at)
      select id, 'win', 1000000, kickoff + interval '3 hours' from picks where id > 15`,
    sql`insert into pick_revisions (pick_id, withdrawn_for, recorded_at) select id, 'game_off', now() from picks where id > 15 and id % 20 = 0`,
    sql`insert into pick_closes (pick_id, price, observed_at) select id, 0.51, kickoff - interval '1 minute' from picks`,
  ];
  for (const statement of statements) await target.execute(statement);
  await vacuumTables(target);
}

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  await fill(db, { days: DAYS, games: 25_000 });
}, 240_000);

const LARGE = "games|markets|outcomes|traders|provider_events|trader_totals";
const PARTS = "pick_commitments|pick_revisions|pick_closes";

test("the picks of a day are read by their day, and all that belongs to them by its keys", async () => {
  // An explained statement returns no row, which the query refuses.
  const read = (explaining: Database) => readPicksOfDay(explaining, NEWEST_DAY).catch(() => null);
  const plan = await planOf(db, read);
  expect(plan).toContain("picks_day");
  expect(plan).not.toMatch(new RegExp(`Seq Scan on (${LARGE}|${PARTS}|picks) `));
  expect(rowsRead(await readsOf(db, "picks", read))).toBe(15);
});

describe("the archive", () => {
  const page = (after: Parameters<typeof readPickArchive>[1]["after"]) => (explaining: Database) =>
    readPickArchive(explaining, { after, limit: 20 }).catch(() => null);

  test.each([
    ["first", null],
    ["later", { date: "2025-03-01", rank: 7 }],
  ] as const)("reads each pick once for its record, and for its %s page as many as it shows", async (_, after) => {
    const plan = await planOf(db, page(after));
    expect(plan).not.toMatch(new RegExp(`Seq Scan on (${LARGE}) `));
    expect(rowsRead(await readsOf(db, "picks", page(after)))).toBeLessThanOrEqual(PICKS + 21);
    expect(rowsRead(await readsOf(db, "pick_closes", page(after)))).toBeLessThanOrEqual(PICKS);
    expect(rowsRead(await readsOf(db, "markets", page(after)))).toBe(21);
  });
});

test("the ledger reads the published picks, and what belongs to them by its keys", async () => {
  const plan = await planOf(db, listPickLedger);
  expect(plan).not.toMatch(new RegExp(`Seq Scan on (${LARGE}) `));
  // Two processes may read them all.
  for (const table of ["picks", "pick_commitments"])
    expect(rowsRead(await readsOf(db, table, listPickLedger))).toBeLessThanOrEqual(2 * PICKS);
});

test("sixteen days of picks read the revisions in proportion to them, where no index is worth its cost", async () => {
  const { db: small } = await createTestDatabase();
  await fill(small, { days: 16, games: 240 });
  const page = (explaining: Database) => readPickArchive(explaining, { after: null, limit: 20 }).catch(() => null);
  // A result and a withdrawal of each pick at most; the archive reads them once for each.
  const revisions = 2 * 16 * 15;
  expect(rowsRead(await readsOf(small, "pick_revisions", listPickLedger))).toBeLessThanOrEqual(revisions);
  expect(rowsRead(await readsOf(small, "pick_revisions", page))).toBeLessThanOrEqual(2 * revisions);
});

test("an entry of the ledger is read by its id", async () => {
  const plan = await planOf(db, (explaining) => findPickLedgerEntry(explaining, 777));
  expect(plan).toContain("picks_pkey");
  expect(plan).not.toMatch(/Seq Scan/);
});

test("candidates are found by the schedule of their games, and a second listing too", async () => {
  const now = new Date();
  // A session and a database send statements in the same way.
  const list = (explaining: Database) => listCandidates(explaining as unknown as Session, now);
  const plan = await planOf(db, list);
  expect(plan).not.toMatch(/Seq Scan on (games|markets|outcomes|picks) /);
  // Games of eleven hours, one each ten minutes, and as often the game itself at the same time.
  expect(rowsRead(await readsOf(db, "games", list))).toBeLessThanOrEqual(2 * 66 + 2);
});

test("a pass that follows games reads those of picks without a result", async () => {
  const list = (explaining: Database) => listFollowed(explaining as unknown as Session);
  const plan = await planOf(db, list);
  expect(plan).not.toMatch(new RegExp(`Seq Scan on (${LARGE}) `));
  for (const table of ["games", "markets"]) expect(rowsRead(await readsOf(db, table, list))).toBeLessThanOrEqual(15);
});
