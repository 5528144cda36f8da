import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { NEAR } from "../../../src/queries/positions/everybodys.ts";
import type { PositionFilters, PositionPlace } from "../../../src/queries/positions/filters.ts";
import { listPositions, MOST_COUNTED } from "../../../src/queries/positions/list-positions.ts";
import { createTestDatabase } from "../../support/database.ts";
import { readsOf, rowsRead } from "../../support/plan-reads.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const EVERYTHING: PositionFilters = { wallets: null, market: null, category: null, grades: null, outcomeIndex: null, minSizeUsd: 100 };

const [WALLETS, MARKETS, POSITIONS] = [20_000, 10_000, 120_000];
/** Six positions a wallet, twelve a market. */
const DEEP: PositionPlace = { valueMicro: "5000000000", wallet: "wallet-5", conditionId: "condition-5", outcomeIndex: 0 };

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into traders (address, username, grade) select 'wallet-' || n, 'name-' || n, case when n % 50 = 0 then 'S' end
      from generate_series(1, ${WALLETS}::int) n`,
    sql`insert into wallet_syncs (trader_id, complete_at) select id, case when id % 4 < 3 then now() end from traders`,
    sql`insert into markets (condition_id, category) select 'condition-' || n, case when n % 10 = 0 then 'Politics' else 'Crypto' end
      from generate_series(1, ${MARKETS}::int) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id || '-' || i, i from markets, generate_series(0, 1) i`,
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select n % ${WALLETS}::int + 1, o.id, o.market_id, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), (n::bigint * 7919 % 1000003) * 10000
      from generate_series(0, ${POSITIONS - 1}::int) n join outcomes o on o.id = (n + n / ${WALLETS}::int * 7) % ${2 * MARKETS}::int + 1`,
    // One market that five thousand hold, and one wallet that holds three thousand.
    sql`insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
        sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at, value_micro)
      select t.id, o.id, o.market_id, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now(), (t.id + o.id) * 1000 % 99000000
      from traders t join outcomes o on (o.market_id = 1 and t.id between 10 and 5009) or (t.id = 1 and o.market_id between 10 and 1509)
      on conflict do nothing`,
    // A page whose commit is not on disk yet (these databases commit asynchronously, within 0.6 s) does not count as visible to all.
    sql`vacuum`,
    sql`select pg_sleep(0.7)`,
    sql`vacuum analyze`,
  ];
  for (const statement of statements) await db.execute(statement);
}, 120_000);

const PAGE = 20;
/** What a page shows of each of its wallets' positions, and each of its own rows. */
const SHOWN = (PAGE + 1) * (1 + 2 * 6);
/** Whether a list is short enough to be counted takes a walk along the index. */
const COUNTED = MOST_COUNTED + 1;
const EVERYBODYS = COUNTED + SHOWN;

test.for<[string, PositionFilters, PositionPlace | null, string, number]>([
  ["everybody's", EVERYTHING, null, "positions_value", EVERYBODYS + 3 * PAGE],
  ["a page further on", EVERYTHING, DEEP, "positions_value", EVERYBODYS + 3 * PAGE],
  ["one side's", { ...EVERYTHING, outcomeIndex: 1 }, null, "positions_value", EVERYBODYS + 6 * PAGE],
  ["a category's", { ...EVERYTHING, category: "Politics" }, null, "positions_value", EVERYBODYS + 30 * PAGE],
  ["a grade's", { ...EVERYTHING, grades: ["S"] }, null, "positions_value", EVERYBODYS + NEAR + 2],
  // Near by near, then every entry of the index once, and the one at which near ends.
  ["those of a category that has none", { ...EVERYTHING, category: "Nothing" }, null, "positions_value", COUNTED + NEAR + POSITIONS],
  [
    "two wallets'",
    { ...EVERYTHING, wallets: [{ address: "wallet-77" }, { username: "name-99" }], minSizeUsd: 0 },
    null,
    "positions_trader",
    6 * 12,
  ],
  [
    "a market's",
    { ...EVERYTHING, market: { conditionId: "condition-7" }, minSizeUsd: 0 },
    null,
    "positions_outcome_held",
    3 * 12 + 12 * 12,
  ],
  [
    "a wallet's that holds thousands",
    { ...EVERYTHING, wallets: [{ address: "wallet-1" }], minSizeUsd: 0 },
    null,
    "positions_trader",
    // And the thousand and one of its open ones that its figures are made of, or would be, and as many among which one may be no row.
    3 * COUNTED + 3 * PAGE,
  ],
  [
    "a market's that thousands hold",
    { ...EVERYTHING, market: { conditionId: "condition-1" }, minSizeUsd: 0 },
    null,
    "positions_outcome_held",
    COUNTED + SHOWN + 4 * PAGE,
  ],
])("%s positions are read off an index, no more than is bounded", async ([, filters, place, index, most]) => {
  const nodes = await readsOf(db, "positions", (explaining) => listPositions(explaining, filters, { place, limit: PAGE }, NOW));
  expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  expect(nodes.filter((node) => node["Index Name"]?.startsWith(index)).length).toBeGreaterThan(0);
  expect(rowsRead(nodes)).toBeLessThanOrEqual(most);
});

test("what lies behind the near ones is sieved off the index alone, without a look at the rows", async () => {
  const rare = { ...EVERYTHING, category: "Nothing" };
  const nodes = await readsOf(db, "positions", (explaining) => listPositions(explaining, rare, { place: null, limit: PAGE }, NOW));
  const wide = nodes.filter((node) => rowsRead([node]) > COUNTED + NEAR);
  expect(wide.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([["Index Only Scan", "positions_value"]]);
});

test.for<[string, PositionFilters]>([
  ["everybody's", EVERYTHING],
  ["a category's", { ...EVERYTHING, category: "Politics" }],
  ["one side's", { ...EVERYTHING, outcomeIndex: 1 }],
  ["two wallets'", { ...EVERYTHING, wallets: [{ address: "wallet-77" }, { username: "name-99" }], minSizeUsd: 0 }],
])("whether histories are whole is asked of the wallets on the page: %s", async ([, filters]) => {
  // So many that Postgres would rather read the table.
  const limit = 100;
  const nodes = await readsOf(db, "wallet_syncs", (explaining) => listPositions(explaining, filters, { place: null, limit }, NOW));
  expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  // Every fourth wallet is not whole. Each is asked once for the list, and twice for what is shown of it.
  expect(rowsRead(nodes)).toBeLessThanOrEqual(4 * (limit + 1));
});

test.for<[string, Partial<PositionFilters>, number | null]>([
  ["everybody's", {}, null],
  ["a wallet's that holds thousands", { wallets: [{ address: "wallet-1" }], minSizeUsd: 0 }, null],
  ["a market's that thousands hold", { market: { conditionId: "condition-1" }, minSizeUsd: 0 }, null],
  // Six in turn, and two in the market that thousands hold.
  ["a wallet's", { wallets: [{ address: "wallet-77" }], minSizeUsd: 0 }, 8],
  ["that wallet's in the market", { wallets: [{ address: "wallet-77" }], market: { conditionId: "condition-1" }, minSizeUsd: 0 }, 2],
])("%s list is counted where few have to be looked at", async ([, filters, total]) => {
  const page = await listPositions(db, { ...EVERYTHING, ...filters }, { place: null, limit: PAGE }, NOW);
  expect(page.total).toBe(total);
});
