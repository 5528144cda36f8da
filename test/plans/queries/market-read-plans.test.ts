import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { findMarketCandles } from "../../../src/queries/markets/market-candles.ts";
import { findMarketContext } from "../../../src/queries/markets/market-context.ts";
import { findMarketHolders } from "../../../src/queries/markets/market-holders.ts";
import { findMarketFlows } from "../../../src/queries/markets/market-flows.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

let db: Database;
const NOW = new Date("2026-11-20T12:00:00Z");

/**
 * 2,000 markets, 5,000 traders of which every tenth is graded, eight positions a trader, 20,000 large trades.
 */
const FILL = [
  sql`insert into traders (address, grade) select 'wallet-' || n, case when n % 10 = 0 then 'A' end from generate_series(1, 5000) n`,
  sql`insert into trader_profiles (trader_id, computed_at, basis, profile) select id, ${NOW.toISOString()}, '', '{}' from traders`,
  sql`insert into provider_events (slug) select 'event-' || n from generate_series(1, 2000) n`,
  sql`insert into markets (condition_id, event_id) select 'condition-' || n, n from generate_series(1, 2000) n`,
  sql`insert into outcomes (market_id, token_id, outcome_index) select id, id || '-' || i, i from markets, generate_series(0, 1) i`,
  sql`insert into trader_syncs (trader_id, complete_at) select id, now() from traders`,
  sql`insert into trader_totals (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, entry_count, first_at, last_at)
    select id, 0, 0, 0, 0, 1, '2026-01-01', '2026-01-01' from traders`,
  sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
      sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
    select t.id, o.id, o.market_id, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), t.id
    from traders t, generate_series(0, 7) n join outcomes o on true where o.id = 1 + (t.id * 7 + n * 401) % 4000`,
  sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
    select int4send(n), 1 + n % 5000, o.id, o.market_id, 'buy', 1, 0, 1, 0.5, timestamptz '2026-11-20 12:00Z' - n * interval '1 minute'
    from generate_series(1, 20000) n join outcomes o on o.id = 1 + n % 4000`,
  sql`insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
      grade_at_trade_status)
    select id, trader_id, market_id, outcome_id, 'BUY', 6000000000, 1, 0.5, traded_at, 0.5, 'unknown' from ledger_entries`,
  sql`insert into holder_scans (market_id, requested_at, fetched_at, wallet_count) select id, ${NOW.toISOString()}, ${NOW.toISOString()}, 9 from markets`,
  sql`insert into market_holders (market_id, trader_id, outcome_index, shares_micro)
    select p.market_id, p.trader_id, 0, 1 from positions p join traders t on t.id = p.trader_id and t.grade is not null on conflict do nothing`,
  sql`insert into outcome_days (outcome_id, day, open, high, low, close)
    select o, date '2026-11-20' - d, 0.5, 0.5, 0.5, 0.5 from generate_series(1, 4000) o, generate_series(0, 4) d`,
];

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  for (const statement of FILL) await db.execute(statement);
  await vacuumTables(db);
});

const ALL_HOLDERS = { outcomeIndex: null, grades: ["S", "A", "B"] } as const;

test.for<[string, (db: Database) => Promise<unknown>, string[]]>([
  [
    "one market's flow",
    (to) => findMarketFlows(to, [{ id: 7 }], "7d", NOW),
    ["large_trades_market", "positions_outcome_held"],
  ],
  [
    "the flows of 25 markets",
    (to) =>
      findMarketFlows(
        to,
        Array.from({ length: 25 }, (_, n) => ({ conditionId: `condition-${n + 1}` })),
        "24h",
        NOW,
      ),
    ["markets_condition_id_unique", "large_trades_market", "positions_outcome_held"],
  ],
  [
    "a market's holders",
    (to) => findMarketHolders(to, { id: 7 }, ALL_HOLDERS, { offset: 0, limit: 100 }, { now: NOW, maxAgeSeconds: 180 }),
    ["market_holders_market_id_trader_id_outcome_index_pk", "holder_scans_pkey", "ledger_entries_position"],
  ],
  [
    "a market's context",
    (to) => findMarketContext(to, { id: 7 }, { window: "24h", mostHolders: 10, holdersMaxAgeSeconds: 180 }, NOW),
    ["markets_pkey", "large_trades_market", "market_holders_market_id_trader_id_outcome_index_pk"],
  ],
  [
    "a market's candles",
    (to) => findMarketCandles(to, { conditionId: "condition-7" }, { resolution: "1d", from: null, to: null }),
    ["markets_condition_id_unique", "outcome_days_"],
  ],
])("%s are one statement that reads no whole table", async ([, query, indexes]) => {
  const plan = await planOf(db, query);
  for (const index of indexes) expect(plan).toContain(index);
  expect(
    [...plan.matchAll(/Seq Scan on (\w+)/g)]
      .map(([, table]) => table)
      .filter((table) => table !== "ingest_checkpoints"),
  ).toEqual([]);
});
