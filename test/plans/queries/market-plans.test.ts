import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { exploreMarkets, type ExploreSort } from "../../../src/queries/markets/explore.ts";
import { searchMarkets } from "../../../src/queries/markets/market-search.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { planOf, readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const MARKETS = 20_000;
const FIRST = { cursor: null, limit: 20 };
const EVERYTHING = { status: "all", category: null, words: null } as const;

let db: Database;

/** Two generations of explore, of which every hundredth entry differs, over markets with different words. */
beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const statements = [
    sql`insert into markets (condition_id, title, volume_usd) select 'condition-' || n, 'Will ' || md5(n::text) || ' happen?', n
      from generate_series(1, ${MARKETS}::int) n`,
    sql`insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id, 0 from markets`,
    sql`insert into list_generations (list, built_at, row_count, detail) values ('explore', now(), ${MARKETS}, '{}'), ('explore', now(), ${MARKETS},
      '{"counts": [{"category": null, "has_active": true, "has_closed": false, "count": 19900},
        {"category": "Tennis", "has_active": true, "has_closed": false, "count": 100}]}')`,
    sql`insert into explore_entries (added_in, removed_in, id, market_ids, representative_id, has_active, has_closed, volume_usd, large_trade_count,
        trending_score, discover_score, expires_at, search_text, category)
      select g.id, case when g.id = 1 and m.id % 100 = 50 then 2 end, m.id, array[m.id], m.id, true, false, m.volume_usd, 0, m.id, m.id, case when m.id % 3 > 0 then to_timestamp(m.id) end, '',
        case when m.id % 200 = 0 then 'Tennis' end
      from list_generations g join markets m on g.id = 1 or m.id % 100 = 50`,
    sql`insert into outcome_days select o.id, date '2026-11-20' - n, 0.5, 0.5, 0.5, 0.5 from outcomes o, generate_series(1, 3) n`,
    sql`insert into traders (address) values ('wallet')`,
    sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), 1, 1 + n % 500, 1 + n % 500, 'buy', 1000000, 0, 1, 0.5, timestamptz '2026-11-20' - n * interval '1 minute'
      from generate_series(1, ${MARKETS}::int) n`,
    sql`insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
        grade_at_trade_status)
      select id, trader_id, market_id, outcome_id, 'BUY', 6000000000, 1, 0.5, traded_at, 0.5, 'unknown' from ledger_entries`,
  ];
  for (const statement of statements) await db.execute(statement);
  await vacuumTables(db);
});

test("a search uses the text index, and a fuzzy search the trigram index", async () => {
  const filters = {
    words: "c4ca4238a0b923820dcc509a6f75849b rare",
    status: "all",
    category: null,
    now: new Date(),
  } as const;
  const byWords = await planOf(db, (explaining) => searchMarkets(explaining, filters, { ...FIRST, by: "words" }));
  expect(byWords).toContain("Bitmap Index Scan on market_texts_search");
  expect(byWords).not.toMatch(/Seq Scan on market(s|_texts)/);
  const byLikeness = await planOf(db, (explaining) =>
    searchMarkets(explaining, { ...filters, words: "hapenn wil" }, { ...FIRST, by: "likeness" }),
  );
  expect(byLikeness).toContain("Bitmap Index Scan on market_texts_title_trigrams");
  expect(byLikeness).not.toMatch(/Seq Scan on market(s|_texts)/);
});

test("both searches are one statement, and the fuzzy one runs only without a match of the exact one", async () => {
  const searchReads = (words: string) =>
    readsOf(db, "market_texts", (explaining) =>
      searchMarkets(explaining, { words, status: "all", category: null, now: new Date() }, { ...FIRST, by: null }),
    );
  const usesTrigrams = async (words: string) =>
    (await searchReads(words)).some((node) => node["Index Name"] === "market_texts_title_trigrams");
  expect(await usesTrigrams("will happen")).toBe(false);
  expect(await usesTrigrams("hapenn wil")).toBe(true);
});

describe("page of explore", () => {
  const explained = (sort: ExploreSort, cursor: { generation: number; key: string; id: number } | null = null) =>
    planOf(db, (explaining) =>
      exploreMarkets(explaining, { ...EVERYTHING, sort }, { cursor: cursor, limit: 24 }, new Date()),
    );

  test.each([
    ["trending", "9000"],
    ["volume", "9000"],
    ["expiring", "1970-01-01T02:30:00Z"],
  ] as const)("an explore page by %s is read from its index in order", async (sort, key) => {
    for (const cursor of [null, { generation: 1, key, id: 9_000 }]) {
      const plan = await explained(sort, cursor);
      expect(plan).toContain(`Index Scan using explore_entries_${sort} on explore_entries entry`);
      expect(plan).not.toContain("Seq Scan on explore_entries");
      expect(plan).not.toMatch(/Sort Key: entry\./);
    }
  });

  test("an explore page counts the traders of large trades by an index-only scan", async () => {
    expect(await explained("trending")).toContain("Index Only Scan using large_trades_market on large_trades l");
  });

  test.each([
    ["of active markets", { ...EVERYTHING, status: "active" }, 25, 20_000],
    ["of a rare category", { ...EVERYTHING, category: "tennis" }, 100, 100],
    ["of active markets of a rare category", { ...EVERYTHING, status: "active", category: "tennis" }, 100, 100],
  ] as const)("an explore page %s reads a part of the entries and counts none", async (_, filters, maxRows, total) => {
    const searchReads = { ...filters, sort: "volume" } as const;
    // Before the first entry ends: entries that end between two builds are looked up separately.
    const now = new Date(0);
    const nodes = await readsOf(db, "explore_entries", (explaining) =>
      exploreMarkets(explaining, searchReads, { cursor: null, limit: 24 }, now),
    );
    expect(rowsRead(nodes)).toBeLessThanOrEqual(maxRows);
    expect((await exploreMarkets(db, searchReads, { cursor: null, limit: 24 }, now))?.total).toBe(total);
  });

  test("an explore page reads prices from the indexes of daily candles and fills", async () => {
    const plan = await explained("trending");
    expect(plan).toContain("Index Only Scan Backward using outcome_days_close on outcome_days");
    expect(plan).toContain("Index Scan Backward using ledger_entries_market on ledger_entries e");
    expect(plan).toContain("Index Cond: (market_id = m.id)");
  });
});
