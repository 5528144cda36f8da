import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { FIRST_SCAN_ROWS } from "../../../src/queries/positions/all-traders.ts";
import type { PositionFilters, PositionListCursor } from "../../../src/queries/positions/filters.ts";
import { listPositions, MAX_COUNTED } from "../../../src/queries/positions/list-positions.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const EVERYTHING: PositionFilters = {
  traders: null,
  market: null,
  category: null,
  grades: null,
  outcomeIndex: null,
  minSizeUsd: 100,
};

const [WALLETS, MARKETS, POSITIONS] = [20_000, 10_000, 120_000];
/** Six positions a trader, twelve a market. */
const DEEP: PositionListCursor = {
  valueMicro: "5000000000",
  wallet: "wallet-5",
  conditionId: "condition-5",
  outcomeIndex: 0,
};

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address, username, grade) select 'wallet-' || n, 'name-' || n, case when n % 50 = 0 then 'S' end
      from generate_series(1, ${WALLETS}::int) n`,
    sql`insert into trader_syncs (trader_id, complete_at) select id, case when id % 4 < 3 then now() end from traders`,
    sql`insert into markets (condition_id, category) select 'condition-' || n, case when n % 10 = 0 then 'Politics' else 'Crypto' end
      from generate_series(1, ${MARKETS}::int) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id || '-' || i, i from markets, generate_series(0, 1) i`,
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select n % ${WALLETS}::int + 1, o.id, o.market_id, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), (n::bigint * 7919 % 1000003) * 10000
      from generate_series(0, ${POSITIONS - 1}::int) n join outcomes o on o.id = (n + n / ${WALLETS}::int * 7) % ${2 * MARKETS}::int + 1`,
    // One market with five thousand holders, and one trader with three thousand positions.
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select t.id, o.id, o.market_id, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), (t.id + o.id) * 1000 % 99000000
      from traders t join outcomes o on (o.market_id = 1 and t.id between 10 and 5009) or (t.id = 1 and o.market_id between 10 and 1509)
      on conflict do nothing`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

const PAGE = 20;
/** The rows for each position of the page's traders, and for each row of the page. */
const SHOWN = (PAGE + 1) * (1 + 2 * 6);
/** To decide whether a list is short enough to be counted takes a walk along the index. */
const COUNTED = MAX_COUNTED + 1;
const ALL_TRADERS = COUNTED + SHOWN;

test.for<[string, PositionFilters, PositionListCursor | null, string, number]>([
  ["of all traders", EVERYTHING, null, "positions_value", ALL_TRADERS + 3 * PAGE],
  ["a page further on", EVERYTHING, DEEP, "positions_value", ALL_TRADERS + 3 * PAGE],
  ["of one side", { ...EVERYTHING, outcomeIndex: 1 }, null, "positions_value", ALL_TRADERS + 6 * PAGE],
  ["of a category", { ...EVERYTHING, category: "Politics" }, null, "positions_value", ALL_TRADERS + 30 * PAGE],
  ["of a grade", { ...EVERYTHING, grades: ["S"] }, null, "positions_value", ALL_TRADERS + FIRST_SCAN_ROWS + 2],
  // The row-by-row scan, then every index entry once, and the entry at which the scan ends.
  [
    "of a category without any",
    { ...EVERYTHING, category: "Nothing" },
    null,
    "positions_value",
    COUNTED + FIRST_SCAN_ROWS + POSITIONS,
  ],
  [
    "of two traders",
    { ...EVERYTHING, traders: [{ address: "wallet-77" }, { username: "name-99" }], minSizeUsd: 0 },
    null,
    "positions_trader",
    6 * 12,
  ],
  [
    "of a market",
    { ...EVERYTHING, market: { conditionId: "condition-7" }, minSizeUsd: 0 },
    null,
    "positions_outcome_held",
    3 * 12 + 12 * 12,
  ],
  [
    "of a trader with thousands",
    { ...EVERYTHING, traders: [{ address: "wallet-1" }], minSizeUsd: 0 },
    null,
    "positions_trader",
    // Also the 1,001 open positions for the trader's figures, and as many for the check that follows the
    // scan.
    3 * COUNTED + 3 * PAGE,
  ],
  [
    "of a market with thousands",
    { ...EVERYTHING, market: { conditionId: "condition-1" }, minSizeUsd: 0 },
    null,
    "positions_outcome_held",
    COUNTED + SHOWN + 4 * PAGE,
  ],
])(
  "a page of positions, %s, is read by index with a bounded number of rows",
  async ([, filters, cursor, index, maxRows]) => {
    const nodes = await readsOf(db, "positions", (explaining) =>
      listPositions(explaining, filters, { cursor: cursor, limit: PAGE }, NOW),
    );
    expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
    expect(nodes.filter((node) => node["Index Name"]?.startsWith(index)).length).toBeGreaterThan(0);
    expect(rowsRead(nodes)).toBeLessThanOrEqual(maxRows);
  },
);

test("positions after the row-by-row scan are filtered by an index-only scan", async () => {
  const rare = { ...EVERYTHING, category: "Nothing" };
  const nodes = await readsOf(db, "positions", (explaining) =>
    listPositions(explaining, rare, { cursor: null, limit: PAGE }, NOW),
  );
  const wide = nodes.filter((node) => rowsRead([node]) > COUNTED + FIRST_SCAN_ROWS);
  expect(wide.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([["Index Only Scan", "positions_value"]]);
});

test.for<[string, PositionFilters]>([
  ["of all traders", EVERYTHING],
  ["of a category", { ...EVERYTHING, category: "Politics" }],
  ["of one side", { ...EVERYTHING, outcomeIndex: 1 }],
  ["of two traders", { ...EVERYTHING, traders: [{ address: "wallet-77" }, { username: "name-99" }], minSizeUsd: 0 }],
])("completeness is read only for the traders of the page: positions %s", async ([, filters]) => {
  // So many rows that Postgres would prefer to read the table.
  const limit = 100;
  const nodes = await readsOf(db, "trader_syncs", (explaining) =>
    listPositions(explaining, filters, { cursor: null, limit }, NOW),
  );
  expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  // Every fourth trader is incomplete. Each is read once for the list and twice for the figures of its rows.
  expect(rowsRead(nodes)).toBeLessThanOrEqual(4 * (limit + 1));
});

test.for<[string, Partial<PositionFilters>, number | null]>([
  ["of all traders", {}, null],
  ["of a trader with thousands", { traders: [{ address: "wallet-1" }], minSizeUsd: 0 }, null],
  ["of a market with thousands", { market: { conditionId: "condition-1" }, minSizeUsd: 0 }, null],
  // Six regular positions, and two in the market with thousands of holders.
  ["of a trader", { traders: [{ address: "wallet-77" }], minSizeUsd: 0 }, 8],
  [
    "of that trader in the market",
    { traders: [{ address: "wallet-77" }], market: { conditionId: "condition-1" }, minSizeUsd: 0 },
    2,
  ],
])("a list of positions %s is counted only if few rows have to be read", async ([, filters, total]) => {
  const page = await listPositions(db, { ...EVERYTHING, ...filters }, { cursor: null, limit: PAGE }, NOW);
  expect(page.total).toBe(total);
});
