import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import {
  findLargeTrade,
  listLargeTrades,
  listLargeTradesSince,
  type LargeTradeFilters,
  type LargeTradeCursor,
} from "../../../src/queries/trades/large-trades.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf, readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const TRADES = 20_000;
const EVERYTHING: LargeTradeFilters = {
  minSizeUsd: 5_000,
  category: null,
  grades: null,
  suspiciousOnly: false,
  minMarketVolumeShare: null,
};
const FIRST = { sort: "recent", cursor: null, limit: 20 } as const;
const DEEP = {
  sort: "recent",
  cursor: { tradedAt: "2026-11-10T00:00:00Z", id: 9_000, share: null },
  limit: 20,
} as const;

/** The few checkpoints may be read in full. */
const WHOLE_TABLE = /Seq Scan on (?!ingest_checkpoints)/;

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  await fill();
});

/** One trade a minute back from 2026-11-20, by 200 of the traders in 500 of the markets. */
async function fill(): Promise<void> {
  const statements = [
    // Of the 200 traders with trades four have grade A and one has S; some of the others have A.
    sql`insert into traders (address, grade)
      select 'wallet-' || n, case when n = 11 then 'S' when n <= 200 and n % 50 = 0 then 'A' when n > 200 and n % 100 = 0 then 'A' when n > 200 then 'F' end
      from generate_series(1, ${TRADES}::int) n`,
    sql`insert into markets (condition_id, category) select 'condition-' || n, 'Crypto' from generate_series(1, ${TRADES}::int) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), 1 + n % 200, 1 + n % 500, 1 + n % 500, 'buy', 1, 0, 1, 0.5, timestamptz '2026-11-20' - n * interval '1 minute'
      from generate_series(1, ${TRADES}::int) n`,
    sql`insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, category,
        review_score, grade_at_trade_status, suspicion_score, market_volume_share)
      select id, trader_id, market_id, outcome_id, 'BUY', case when id % 30 = 0 then 60000000000 else 6000000000 end, 1, 0.5, traded_at,
        case when id % 10 = 0 then 'Politics' else 'Crypto' end, 0.5, 'unknown', case when id % 50 = 0 then 70 end,
        case when id % 5 > 0 then (id % 1000)::numeric / 1000 end
      from ledger_entries`,
    sql`insert into fill_logs (entry_id, block_number, log_index, orders_matched_log_index, exchange)
      select id, 90000000 + id, 1, 2, 2 from ledger_entries`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
}

test.for<[string, string, LargeTradeFilters, typeof FIRST | typeof DEEP]>([
  ["the first page", "large_trades_recent", EVERYTHING, FIRST],
  ["a page further on", "large_trades_recent", EVERYTHING, DEEP],
  ["of a category", "large_trades_category", { ...EVERYTHING, category: "politics" }, FIRST],
  ["of a trader", "large_trades_trader", { ...EVERYTHING, trader: { id: 7 } }, FIRST],
  ["suspicious only", "large_trades_suspicious", { ...EVERYTHING, suspiciousOnly: true }, FIRST],
  ["of half the market's volume", "large_trades_recent", { ...EVERYTHING, minMarketVolumeShare: 0.5 }, FIRST],
  ["with a higher minimum", "large_trades_recent", { ...EVERYTHING, minSizeUsd: 50_000 }, FIRST],
  [
    "of a period",
    "large_trades_recent",
    { ...EVERYTHING, from: new Date("2026-11-10"), to: new Date("2026-11-12") },
    FIRST,
  ],
  ["of a market", "large_trades_market", { ...EVERYTHING, conditionId: "condition-7" }, FIRST],
])(
  "a page of large trades, %s, is read from its index in order without a sort or other rows",
  async ([, index, filters, page]) => {
    const plan = await planOf(db, (explaining) => listLargeTrades(explaining, filters, page));
    expect(plan).toContain(`Index Scan Backward using ${index} on large_trades l`);
    // The page's own rows may be sorted after they are selected.
    expect(plan).not.toMatch(/Sort Key: l_/);
    expect(plan).not.toMatch(WHOLE_TABLE);
  },
);

test("large trades by market share are read from the share index and then from the time index", async () => {
  const plans = await Promise.all(
    ["0.2", null].map((share) => {
      const page = {
        sort: "market_volume_share",
        cursor: { tradedAt: "2026-11-10T00:00:00Z", id: 9_000, share },
        limit: 20,
      } as const;
      return planOf(db, (explaining) => listLargeTrades(explaining, { ...EVERYTHING, from: new Date(0) }, page));
    }),
  );
  expect(plans[0]).toContain("Index Scan Backward using large_trades_share on large_trades l");
  for (const plan of plans) {
    expect(plan).toContain("Index Scan Backward using large_trades_recent on large_trades l");
    expect(plan).not.toMatch(/Sort Key: l_/);
    expect(plan).not.toMatch(WHOLE_TABLE);
  }
});

test("large trades since another one are read from the commit index", async () => {
  const plan = await planOf(db, (explaining) =>
    listLargeTradesSince(explaining, EVERYTHING, 19_000, { cursor: null, limit: 20 }),
  );
  expect(plan).toContain("using large_trades_commit on large_trades l");
  expect(plan).not.toContain("Seq Scan on large_trades");
});

test.for<[string, LargeTradeFilters, number]>([
  ["of grades with many of them", { ...EVERYTHING, grades: ["S", "A"] }, 1_100],
  ["of a grade with few of them", { ...EVERYTHING, grades: ["S"] }, 1_250],
  ["of a grade with none of them", { ...EVERYTHING, grades: ["B"] }, 1_100],
  ["of a grade in a category", { ...EVERYTHING, category: "politics", grades: ["S"] }, 1_100],
])(
  "large trades %s are found among the newest or else by trader, without a read of all trades",
  async ([, filters, maxRows]) => {
    const nodes = await readsOf(db, "large_trades", (explaining) => listLargeTrades(explaining, filters, FIRST));
    expect(rowsRead(nodes)).toBeLessThanOrEqual(maxRows);
  },
);

test.each([20, 100])("a walk with %i trades a page returns exactly those of the grades in order", async (limit) => {
  const seen: number[] = [];
  const filters: LargeTradeFilters = { ...EVERYTHING, grades: ["S", "A"] };
  for (let cursor: LargeTradeCursor | null = null; ;) {
    const { rows } = await listLargeTrades(db, filters, { sort: "recent", cursor: cursor, limit });
    const page = rows.slice(0, limit);
    seen.push(...page.map((row) => row.id));
    const last = page.at(-1);
    if (rows.length <= limit || last === undefined) break;
    cursor = { tradedAt: last.traded_at, id: last.id, share: null };
  }
  const { rows } = await db.execute<{ id: string }>(
    sql`select l.id from large_trades l join traders t on t.id = l.trader_id where t.grade in ('S', 'A') order by l.traded_at desc, l.id desc`,
  );
  expect(rows).toHaveLength(500);
  expect(seen).toEqual(rows.map(({ id }) => Number(id)));
});

test("a read of the trades since a recent one reads only those trades", async () => {
  const nodes = await readsOf(db, "large_trades", (explaining) =>
    listLargeTradesSince(explaining, EVERYTHING, TRADES - 5, { cursor: null, limit: 20 }),
  );
  expect(rowsRead(nodes)).toBeLessThanOrEqual(20);
});

test("one trade and its counterparties are one statement by index", async () => {
  const plan = await planOf(db, (explaining) => findLargeTrade(explaining, 9_000));
  expect(plan).toContain("ledger_entries_identity");
  expect(plan.match(/using fill_logs_pkey/g)).toHaveLength(2);
  expect(plan).not.toMatch(/Seq Scan on (?!trader_totals)/);
});
