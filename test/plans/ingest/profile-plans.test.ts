import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database, Session } from "../../../src/db/client.ts";
import { loadPositionPart, type PositionRange } from "../../../src/ingest/profiles/load-trader-positions.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead, type TableRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const PART = 500;
const [TRADERS, MARKETS] = [2_000, 4_000];
/** The large trader has a position in every outcome; the others have four each. */
const LARGE = 1_000;

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (id, address) overriding system value select n, 'wallet-' || n from generate_series(1, ${TRADERS}::int) n`,
    sql`insert into markets (id, condition_id, category, hydrated_at) overriding system value
      select n, 'condition-' || n, 'Politics', now() from generate_series(1, ${MARKETS}::int) n`,
    sql`insert into outcomes (id, market_id, token_id, outcome_index) overriding system value
      select 2 * n - 1 + i, n, 'token-' || n || '-' || i, i from generate_series(1, ${MARKETS}::int) n, generate_series(0, 1) i`,
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
      select held.trader_id, o.id, o.market_id, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now()
      from (
        select n % ${TRADERS}::int + 1 as trader_id, n * 7 % ${2 * MARKETS}::int + 1 as outcome_id from generate_series(0, ${4 * TRADERS - 1}::int) n
        union select ${LARGE}::int, n from generate_series(1, ${2 * MARKETS}::int) n
      ) held join outcomes o on o.id = held.outcome_id`,
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), trader_id, outcome_id, market_id, (array['buy', 'split', 'sell'])[n], 1000000, 0, 500000, 0.5, first_at
      from positions, generate_series(1, 3) n`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

const readsOfPart = (table: string, range: PositionRange) =>
  readsOf(db, table, (explaining) => loadPositionPart(explaining as unknown as Session, range, "2026-11-20", PART));

/** A bitmap's index has its name, the table's own node has none. */
const indexesOf = (reads: readonly TableRead[]) =>
  new Set(reads.flatMap((node) => (node["Node Type"] === "Bitmap Heap Scan" ? [] : [node["Index Name"]])));

const RANGES: [string, PositionRange, number][] = [
  ["the first part of a large trader", { traderIds: [LARGE], afterOutcomeId: 0 }, PART],
  ["a later part of a large trader", { traderIds: [LARGE], afterOutcomeId: 6_000 }, PART],
  [
    "the whole of twenty small traders",
    { traderIds: Array.from({ length: 20 }, (_, n) => n + 1), afterOutcomeId: 0 },
    80,
  ],
  ["the part that a large trader cuts", { traderIds: [1, 2, LARGE, LARGE + 1], afterOutcomeId: 0 }, PART],
];

test.for(RANGES)("%s is one range of the positions' primary key", async ([, range, rows]) => {
  const reads = await readsOfPart("positions", range);
  expect(indexesOf(reads)).toEqual(new Set(["positions_trader_id_outcome_id_pk"]));
  expect(rowsRead(reads)).toBe(rows);
});

test.for(RANGES)("splits of %s are read from its own entries by index", async ([, range, rows]) => {
  const reads = await readsOfPart("ledger_entries", range);
  expect(indexesOf(reads)).toEqual(new Set(["ledger_entries_position"]));
  // The entries of the last trader go as far as the outcomes of any trader of the part.
  expect(rowsRead(reads)).toBeLessThanOrEqual(range.traderIds.length === 4 ? 2 * MARKETS + 20 : rows);
});
