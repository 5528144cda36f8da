import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { gradesFrom } from "../../../src/domain/traders/grades.ts";
import { listFlows, type FlowFilters } from "../../../src/queries/trades/flows.ts";
import { findSuspiciousTrade, listSuspiciousTrades } from "../../../src/queries/trades/suspicious-trades.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address) select 'wallet-' || n from generate_series(1, 200) n`,
    sql`insert into markets (condition_id, category) select 'condition-' || n, 'Crypto' from generate_series(1, 20000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), 1 + n % 200, 1 + n % 500, 1 + n % 500, 'buy', 1, 0, 1, 0.5, timestamptz '2026-11-20' - n * interval '1 minute'
      from generate_series(1, 20000) n`,
    sql`insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
        grade_at_trade_status)
      select id, trader_id, market_id, outcome_id, 'BUY', 6000000000, 1, 0.5, traded_at, 0.5, 'unknown' from ledger_entries`,
    sql`insert into suspicious_trades (large_trade_id, trader_id, market_id, track, side, score, scores, evidence, traded_at)
      select id, trader_id, market_id, 'whale', 'yes', 60 + id * 7 % 41, '{}', jsonb_build_object('evidence', repeat('x', 700)), traded_at
      from large_trades`,
    // Three generations of each of four windows, with 5,000 markets each.
    sql`insert into list_generations (list, built_at, row_count)
      select 'flows:' || w, now(), 1 from unnest(array['1h', '4h', '24h', '7d']) w, generate_series(1, 3)`,
    sql`insert into flow_entries
      select g.id, m.id, 'A', m.id * 1000000, 1, 1, 1, 1 from list_generations g, markets m where m.id % 4 = 0`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

test("suspicious trades are read from the score index in order and counted by an index-only scan", async () => {
  const page = { cursor: { score: 80, id: 9_000 }, limit: 20 };
  const plan = await planOf(db, (explaining) => listSuspiciousTrades(explaining, { minScore: 60, pin: null }, page));
  expect(plan).toContain("Index Scan Backward using suspicious_trades_score on suspicious_trades s");
  expect(plan).toContain("Index Only Scan using suspicious_trades_score on suspicious_trades s");
  expect(plan).not.toContain("Seq Scan on suspicious_trades");
});

test("a pinned page of suspicious trades reads only the score index and counts nothing", async () => {
  const pin = { newest: 15_000, total: 15_000 };
  const plan = await planOf(db, (explaining) =>
    listSuspiciousTrades(explaining, { minScore: 60, pin }, { cursor: null, limit: 20 }),
  );
  expect(plan).toContain("Index Scan Backward using suspicious_trades_score on suspicious_trades s");
  expect(plan).not.toContain("Aggregate");
});

test("one suspicious trade is read by its primary key", async () => {
  expect(await planOf(db, (explaining) => findSuspiciousTrade(explaining, 9_000))).toContain("suspicious_trades_pkey");
});

const SHARP: FlowFilters = { window: "24h", grades: gradesFrom("B"), category: null, direction: null };

test.for<[string, FlowFilters, number | null]>([
  ["the first page", SHARP, null],
  ["a further page", SHARP, 500_000_000],
  ["a category", { ...SHARP, category: "crypto" }, null],
])("the flows of %s are summed from one generation, and only their markets are read", async ([, filters, size]) => {
  const cursor = size === null ? null : { generation: 7, absNetMicro: String(size), conditionId: "condition-1" };
  const plan = await planOf(db, (explaining) => listFlows(explaining, filters, { cursor: cursor, limit: 20 }));
  expect(plan).toContain("flow_entries_generation_market_id_grade_pk");
  expect(plan).not.toContain("Seq Scan on flow_entries");
  expect(plan).toMatch(/using markets_pkey on markets/);
  expect(plan).not.toContain("Seq Scan on markets");
});
