import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { inTransaction, openPool, type Database } from "../../../src/db/client.ts";
import { readOutbox } from "../../../src/events/outbox/outbox-reader.ts";
import { pruneOutbox } from "../../../src/events/outbox/prune-outbox.ts";
import { replayLargeTrades, type ReplayFilters } from "../../../src/queries/event-replay.ts";
import { readHealth } from "../../../src/queries/health.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf, readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { passHorizon } from "../../support/seed/large-trades.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const TRADES = 20_000;
const EVERYTHING: ReplayFilters = {
  trader: null,
  market: null,
  grades: null,
  minSizeUsd: null,
  wallets: null,
  watchlist: null,
};

let db: Database;
/** A cursor after half of the events. */
let half: { epoch: number; commitXid: string; id: string };

beforeAll(async () => {
  const database = await createTestDatabase();
  ({ db } = database);
  const statements = [
    sql`insert into traders (address, grade) select 'wallet-' || n, 'A' from generate_series(1, 1000) n`,
    sql`insert into markets (condition_id) select 'condition-' || n from generate_series(1, 1000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), 1 + n % 1000, 1 + n % 1000, 1 + n % 1000, 'buy', 1, 0, 1, 0.5, now() from generate_series(1, ${TRADES}::int) n`,
    sql`insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
        grade_at_trade_status)
      select id, trader_id, market_id, outcome_id, 'BUY', 6000000000, 1, 0.5, traded_at, 0.5, 'unknown' from ledger_entries`,
    // One event of another kind beside each, in few transactions, like a page of fills.
    sql`insert into events (epoch, type, payload, large_trade_id) select 1, 'large_trade_inserted_v2', '{}', id from large_trades where id <= ${TRADES / 2}`,
    sql`insert into events (epoch, type, payload) select 1, 'large_trades_inserted', '{}' from large_trades`,
    sql`insert into events (epoch, type, payload, large_trade_id) select 1, 'large_trade_inserted_v2', '{}', id from large_trades where id > ${TRADES / 2}`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
  await passHorizon(db);
  const { rows } = await db.execute(
    sql`select commit_xid::text as xid, id::text as id from events where large_trade_id = ${TRADES / 2}`,
  );
  half = { epoch: 1, commitXid: String(rows[0]?.["xid"]), id: String(rows[0]?.["id"]) };
  const { neonHttpEndpoint, neonSocketProxy } = inject("services");
  const pool = openPool({ databaseUrl: database.databaseUrl, neonHttpEndpoint, neonSocketProxy });
  await inTransaction(pool, (session) => pruneOutbox(session, new Date()));
  await pool.end();
});

describe.each<[string, ReplayFilters, number]>([
  ["all", EVERYTHING, 51],
  ["one trader's", { ...EVERYTHING, trader: { id: 7 } }, 2_000],
  ["graded traders'", { ...EVERYTHING, grades: ["S", "A"] }, 2_000],
])("events of %s trades", (_, filters, walked) => {
  test.each([
    ["the newest events", () => null],
    ["the events after a cursor", () => half],
  ])("%s are read from their index without events of other kinds", async (_name, cursorOf) => {
    const query = (through: Database) =>
      replayLargeTrades(through, filters, { cursor: cursorOf(), limit: 50 }).catch(() => undefined);
    const plan = await planOf(db, query);
    expect(plan).toContain("events_large_trades");
    expect(plan).not.toMatch(/Seq Scan on (events|large_trades|ledger_entries)/);
    const reads = await readsOf(db, "events", query);
    // The walk, and one row each for the check of later events, of pending ones and of those since the count.
    expect(rowsRead(reads)).toBeLessThanOrEqual(2_000 + 3);
    expect(rowsRead(reads)).toBeGreaterThanOrEqual(Math.min(walked, 50));
  });
});

test("retained events come from a stored count and are not counted by each read", async () => {
  expect((await replayLargeTrades(db, EVERYTHING, { cursor: half, limit: 1 })).retained).toBe(TRADES);
});

test("a reader of all events and health use the index of all events", async () => {
  for (const query of [
    (through: Database) => readOutbox(through, half, 100),
    (through: Database) => readHealth(through),
  ]) {
    const reads = await readsOf(db, "events", (through) => query(through).catch(() => undefined));
    expect(reads.map((node) => node["Index Name"])).toEqual(["events_commit"]);
    expect(rowsRead(reads)).toBeLessThanOrEqual(100);
  }
});
