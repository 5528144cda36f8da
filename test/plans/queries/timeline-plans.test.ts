import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { findPositionTimeline } from "../../../src/queries/positions/position-timeline.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const FILLS = 100_000;

test("the timeline of a trader with 100,000 fills reads only the fills of its market", async () => {
  const { db } = await createTestDatabase();
  const statements = [
    sql`insert into traders (address, tier) select 'wallet-' || n, 'hot' from generate_series(1, 20000) n`,
    sql`insert into markets (condition_id) select 'condition-' || n from generate_series(1, 2000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id || '-' || i, i from markets, generate_series(0, 1) i order by id, i`,
    // All but ten fills of the first trader are in other markets; the market has five thousand fills of other
    // traders.
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), 1, o.id, o.market_id, case n % 2 when 0 then 'buy' else 'sell' end, 1000000, 0, 500000, 0.5,
        timestamptz '2026-11-20' - n * interval '1 minute'
      from generate_series(1, ${FILLS}::int) n join outcomes o on o.id = case when n % 10000 = 0 then 13 + n / 10000 % 2 else 15 + n % 3000 end`,
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(${FILLS}::int + n), 2 + n % 40, o.id, o.market_id, 'buy', 1000000, 0, 500000, 0.5, timestamptz '2026-11-20' - n * interval '1 minute'
      from generate_series(1, 5000) n join outcomes o on o.id = 13 + n % 2`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);

  const findTimeline = (through: Database) =>
    findPositionTimeline(through, { address: "wallet-1" }, { conditionId: "condition-7" }, { cursor: null, limit: 20 });
  // Once for the running sums, once for the page.
  expect(rowsRead(await readsOf(db, "ledger_entries", findTimeline))).toBe(20);
  // By its address, and by the id of that row.
  expect(rowsRead(await readsOf(db, "traders", findTimeline))).toBe(2);
  expect((await findTimeline(db))?.total).toBe(10);
});
