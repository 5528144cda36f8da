import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { countLiveCombos } from "../../../src/queries/combos/count-live-combos.ts";
import { findCombo } from "../../../src/queries/combos/find-combo.ts";
import {
  listComboFills,
  type ComboFillFilters,
  type ComboFillPage,
} from "../../../src/queries/combos/list-combo-fills.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf, readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const NOW = new Date();
const ALL: ComboFillFilters = {
  ...{ results: null, legs: null, minStakeUsd: 0, minMultiplier: 0, grades: null, sports: null, since: null },
};
const PAGE: ComboFillPage = { sort: "recent", limit: 50, cursor: null, offset: 0 };
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address, grade)
      select 'w' || n, (array['S', 'A', 'B', 'C', 'D', 'F', null])[1 + n % 7] from generate_series(1, 2000) n`,
    // 20,000 combos of three legs, after 5,000 ordinary markets that the legs are in.
    sql`insert into markets (condition_id, category, tags, hydrated_at)
      select '0x' || lpad(n::text, 64, '0'), (array['Soccer', 'Basketball', 'Tennis', 'Golf'])[1 + n % 4],
        array[(array['epl', 'nba', 'atp', 'pga'])[1 + n % 4]], now() from generate_series(1, 5000) n`,
    sql`insert into markets (condition_id) select '0x03' || lpad(n::text, 60, '0') from generate_series(1, 20000) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, id || '-' || i, i from markets, generate_series(0, 1) i`,
    sql`insert into combos (market_id, leg_count, legs_known_at, status)
      select id, 3, now(), (array['pending', 'won', 'lost', 'lost'])[1 + id % 4] from markets where id > 5000`,
    sql`insert into combo_legs (market_id, leg_index, position_id, module_id, outcome_index, provider_condition_id,
        leg_market_id, state, provider_market, read_at)
      select market_id, i, market_id * 10 + i, 1, 0, '0x01', 1 + (market_id * 7 + i * 13) % 5000, 'pending', '{"tags": []}', now()
      from combos, generate_series(0, 2) i`,
    sql`insert into combo_events (provider_id, market_id, trader_id, kind, block_number, log_index, happened_at)
      select market_id || '-1', market_id, 1, 'split', market_id, 1, now() from combos`,
  ];
  for (const statement of statements) await db.execute(statement);
  await db.execute(sql`analyze markets, outcomes`);
  const columns = sql.raw(
    "tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, role, traded_at",
  );
  // 80,000 fills of combos in 60 days, half of them of takers, and 80,000 others.
  for (let from = 1; from < 80_000; from += 8_000) {
    const numbers = sql`generate_series(${from}::int, ${from + 7_999}::int) n`;
    await db.execute(sql`insert into ledger_entries (${columns})
      select decode(lpad(to_hex(n), 64, '0'), 'hex'), 1 + n % 2000, o.id, o.market_id, case when n % 5 = 0 then 'sell' else 'buy' end,
        (1 + (n * 7919::bigint) % 100000) * 1000000, 1, (1 + (n * 7919::bigint) % 100000) * 300000, '0.3',
        case when n % 2 = 0 then 'taker' end, now() - n * interval '65 seconds'
      from ${numbers} join outcomes o on o.market_id = 5001 + (n / 2) % 20000 and o.outcome_index = 0`);
    await db.execute(sql`insert into ledger_entries (${columns})
      select decode(lpad(to_hex(n), 64, '1'), 'hex'), 1 + n % 2000, n % 5000, 1 + n % 5000, 'buy', 1000000, 2, 500000, '0.5', 'taker',
        now() - n * interval '50 seconds' from ${numbers}`);
  }
  await db.execute(sql`insert into fill_logs (entry_id, block_number, log_index, orders_matched_log_index, exchange)
    select e.id, 90000000 + e.id / 40, e.id % 40, e.id % 40 + 1, case when f.entry_id is null then 2 else 4 end
    from ledger_entries e left join combo_fills f on f.entry_id = e.id`);
  await vacuumTables(db);
}, 240_000);

const read = (filters: Partial<ComboFillFilters>, page: Partial<ComboFillPage>) => (explaining: Database) =>
  // An explained statement returns no row, which the query refuses.
  listComboFills(explaining, { ...ALL, ...filters }, { ...PAGE, ...page }, NOW).catch(() => null);

const TABLES = ["ledger_entries", "combo_legs", "combos", "markets", "outcomes", "traders"];

test("the trigger has recorded exactly the fills of combos", async () => {
  const { rows } = await db.execute(sql`select count(*)::int as fills from combo_fills`);
  expect(rows).toEqual([{ fills: 80_000 }]);
});

describe.each([
  ["recent", "combo_fills_takers_recent", null],
  ["largest", "combo_fills_takers_largest", null],
  ["payout", "combo_fills_takers_payout", null],
] as const)("%s", (sort, index, since) => {
  test(`${sort} reads its page from ${index}, takers' fills being half of all`, async () => {
    expect(await planOf(db, read({ since }, { sort }))).toContain(index);
    const reads = await readsOf(db, "combo_fills", read({ since }, { sort }));
    // And an entry of each.
    expect(rowsRead(reads)).toBe(PAGE.limit);
    expect(rowsRead(await readsOf(db, "ledger_entries", read({ since }, { sort })))).toBe(PAGE.limit);
  });

  test.each([
    ["result", { results: ["won"] }],
    ["legs", { legs: [3] }],
    ["min_stake", { minStakeUsd: 20_000 }],
    ["min_multiplier", { minMultiplier: 2 }],
    ["grades", { grades: ["S"] }],
    ["sports", { sports: ["nba"] }],
  ] as const)(
    `${sort} with the filter %s reads a part of the fills and no other table as a whole`,
    async (_, filters) => {
      const plan = await planOf(db, read(filters, { sort }));
      for (const table of ["ledger_entries", "combo_fills", "combo_legs", "outcomes", "markets"])
        expect(plan).not.toContain(`Seq Scan on ${table}`);
      expect(rowsRead(await readsOf(db, "combo_fills", read(filters, { sort })))).toBeLessThan(8_000);
    },
  );

  test(`${sort} of the last 24 hours and 7 days reads a part of the fills`, async () => {
    for (const days of [1, 7]) {
      const reads = await readsOf(db, "combo_fills", read({ since: daysAgo(days) }, { sort }));
      expect(rowsRead(reads)).toBeLessThan(8_000);
    }
  });
});

test.each(["largest", "payout"] as const)(
  "a page of %s far down skips its fills by the index alone, without their entries",
  async (sort) => {
    const page = read({}, { sort, offset: 5_000 });
    expect(await planOf(db, page)).toContain(`Index Only Scan Backward using combo_fills_takers_${sort}`);
    expect(rowsRead(await readsOf(db, "combo_fills", page))).toBe(5_000 + PAGE.limit);
    expect(rowsRead(await readsOf(db, "ledger_entries", page))).toBe(PAGE.limit);
  },
);

test("a page of recent begins at its cursor", async () => {
  const cursor = { seconds: Math.floor(daysAgo(40).getTime() / 1000), id: 1 };
  expect(rowsRead(await readsOf(db, "combo_fills", read({}, { cursor })))).toBeLessThan(PAGE.limit * 5);
});

test("a page of recent that begins at a log finds its fill by block and log index", async () => {
  const { rows } = await db.execute<{ block: number; log: number }>(
    sql`select block_number as block, log_index as log from fill_logs where exchange = 4 order by entry_id offset 40000 limit 1`,
  );
  const cursor = { blockNumber: rows[0]?.block ?? 0, logIndex: rows[0]?.log ?? 0 };
  const plan = await planOf(db, read({}, { cursor }));
  expect(plan).toContain("using fill_logs_combos");
  expect(plan).not.toContain("Seq Scan on fill_logs");
  expect(rowsRead(await readsOf(db, "combo_fills", read({}, { cursor })))).toBeLessThan(PAGE.limit * 5);
  // That of the cursor, and those of the page.
  expect(rowsRead(await readsOf(db, "fill_logs", read({}, { cursor })))).toBeLessThanOrEqual(PAGE.limit + 1);
});

test("filters that nothing matches read the fills by index and no table as a whole", async () => {
  const plan = await planOf(db, read({ results: ["pending"], legs: [5], sports: ["pickleball"] }, {}));
  for (const table of TABLES.filter((name) => name !== "traders")) expect(plan).not.toContain(`Seq Scan on ${table}`);
});

test("one combo is read by its id, its fills and its legs by their market", async () => {
  const find = (explaining: Database) => findCombo(explaining, `0x03${"77".padStart(60, "0")}`, 100, NOW);
  const plan = await planOf(db, find);
  for (const table of [...TABLES, "combo_fills", "combo_events"]) expect(plan).not.toContain(`Seq Scan on ${table}`);
  // Four fills, of which two are takers'.
  expect(rowsRead(await readsOf(db, "ledger_entries", find))).toBeLessThan(50);
  expect(await readsOf(db, "combo_fills", find)).toEqual([]);
  // Its fills do not repeat them.
  expect(rowsRead(await readsOf(db, "combo_legs", find))).toBe(3);
});

test("the count reads combos of two statuses by their index, and one fill of each", async () => {
  const plan = await planOf(db, countLiveCombos);
  expect(plan).toContain("combos_undecided");
  expect(plan).not.toContain("Seq Scan on combos");
});
