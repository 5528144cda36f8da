import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import {
  searchMarkets,
  type SearchFilters,
  type SearchPageRequest,
} from "../../../src/queries/markets/market-search.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const MARKETS = 20_000;
const FIRST: SearchPageRequest = { cursor: null, limit: 20 };
const ALL: Omit<SearchFilters, "words"> = { status: "all", category: null, now: new Date("2026-11-20T12:00:00Z") };

let db: Database;

/**
 * Every title begins with the same word; every second title has another, and every thousandth a third. One
 * market in twenty has the category Politics. Descriptions have a realistic length.
 */
beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into markets (condition_id, title, volume_usd, category, closed, description)
      select 'condition-' || n, 'Will ' || case when n % 2 = 0 then 'everybody ' else '' end || case when n % 1000 = 0 then 'seldom ' else '' end ||
        md5(n::text) || ' happen?', n * 7919 % 1000003, case when n % 20 = 0 then 'Politics' else 'Crypto' end, n % 3 = 0,
        repeat(md5(n::text), 30)
      from generate_series(1, ${MARKETS}::int) n`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

/**
 * Rows read to find out whether matches are few: a thousand, and the rows between them if every second one
 * matches.
 */
const PROBE_ROWS = 2_100;

test.for<[string, SearchFilters, SearchPageRequest, number]>([
  ["a word that begins every title", { ...ALL, words: "will" }, FIRST, PROBE_ROWS],
  ["a word within every second title", { ...ALL, words: "everybody" }, FIRST, PROBE_ROWS],
  ["a word of few titles", { ...ALL, words: "seldom" }, FIRST, 20],
  ["a whole title", { ...ALL, words: "Will c4ca4238a0b923820dcc509a6f75849b happen?" }, FIRST, 1],
  [
    "a page further on",
    { ...ALL, words: "will" },
    { cursor: { rank: 1, volume: "500000", id: 77 }, limit: 20 },
    PROBE_ROWS,
  ],
  ["closed markets", { ...ALL, words: "will", status: "closed" }, FIRST, PROBE_ROWS],
  ["a category", { ...ALL, words: "will", category: "Politics" }, FIRST, PROBE_ROWS],
])("a search for %s reads a bounded number of markets, however many match", async ([, filters, page, maxRows]) => {
  for (const table of ["markets", "market_texts"]) {
    const nodes = await readsOf(db, table, (explaining) =>
      searchMarkets(explaining, filters, { ...page, by: page.cursor === null ? null : "words" }),
    );
    expect(rowsRead(nodes)).toBeLessThanOrEqual(maxRows);
  }
});
