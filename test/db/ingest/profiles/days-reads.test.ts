import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import { inTransaction, type Database, type Session } from "../../../../src/db/client.ts";
import { loadTraderDays } from "../../../../src/ingest/profiles/load-trader-days.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { readsOf, rowsRead } from "../../../support/database/plan-reads.ts";
import { vacuumTables } from "../../../support/database/vacuum-tables.ts";

const TRADER = 1;
const OTHERS = 300;
const COMBINATIONS = 20;
const ENTRIES = 200;
const DAY = "2026-11-20";

let db: Database;
let pool: Pool;

/**
 * A trader with an entry in each of 200 ordinary markets, one share for half a dollar, and one in an unknown combination of
 * markets. Other traders have positions in all combinations.
 */
beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
  await pool.query(`
    insert into markets (id, condition_id, hydrated_at) overriding system value
      select n, 'condition-' || n, now() from generate_series(1, ${ENTRIES}) n
      union all select 1000 + n, '0x03' || lpad(n::text, 60, '0'), null from generate_series(1, ${COMBINATIONS}) n;
    insert into traders (id, address) overriding system value select n, 'wallet-' || n from generate_series(1, ${1 + OTHERS}) n;
    insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro,
      bought_usd_micro, sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
      select t.id, m.id, m.id, 1000000, 500000, 0, 1000000, 500000, 0, 0, 0, 0, 1, '${DAY}', '${DAY}'
      from traders t, markets m
      where case when t.id = ${TRADER} then m.id <= 1001 else m.id > 1000 end;
    insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(market_id::int), trader_id, outcome_id, market_id, 'buy', 1000000, 0, 500000, 0.5, first_at
      from positions where trader_id = ${TRADER};
    insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at,
      combination_markets)
      select trader_id, 0, 0, 0, 0, count(*), '${DAY}', '${DAY}', count(*) filter (where market_id > 1000)
      from positions group by trader_id;
    insert into trader_days (trader_id, day, realized_micro, settled_micro, fees_micro, rebates_micro, rewards_micro, volume_micro,
      entry_count) values (${TRADER}, '${DAY}', 0, 0, 0, 0, 0, 0, ${ENTRIES + 1})`);
});

const readPositions = async () =>
  rowsRead(await readsOf(db, "positions", (explaining) => loadTraderDays(explaining as unknown as Session, [TRADER])));

test("entries in an unknown combination count neither as capital nor as fills", async () => {
  const days = await inTransaction(pool, (session) => loadTraderDays(session, [TRADER]));
  expect(days.get(TRADER)).toEqual([
    { day: DAY, pnlMicro: 0n, capitalMicro: BigInt(ENTRIES) * 500_000n, fills: ENTRIES },
  ]);
});

test("unknown combinations are found among the trader's own positions, whatever others hold", async () => {
  await vacuumTables(db);
  // Once for the combinations and once for the positions that have settled.
  expect(await readPositions()).toBe(2 * (ENTRIES + 1));
});

test("without combinations and unmatched shares no entry looks for its position", async () => {
  await pool.query("update trader_totals set combination_markets = 0");
  await vacuumTables(db);
  expect(await readPositions()).toBe(ENTRIES + 1);
});
