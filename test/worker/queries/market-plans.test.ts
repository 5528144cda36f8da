import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { exploreMarkets, type ExploreSort } from "../../../src/queries/explore.ts";
import { searchMarkets } from "../../../src/queries/market-search.ts";
import { createTestDatabase } from "../../support/database.ts";
import { planOf, readsOf, rowsRead } from "../../support/plan-reads.ts";

const MARKETS = 20_000;
const FIRST = { place: null, limit: 20 };
const EVERYTHING = { status: "all", category: null, words: null } as const;

let db: Database;

/** Two generations of exploration, in which every hundredth entry differs, over markets with words of their own. */
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
    // A page whose commit is not on disk yet (these databases commit asynchronously) counts as visible to all only the second time.
    sql`vacuum`,
    sql`vacuum analyze`,
  ];
  for (const statement of statements) await db.execute(statement);
}, 60_000);

test("words are looked up in the text index, misspelt ones in that of trigrams", async () => {
  const filters = { words: "c4ca4238a0b923820dcc509a6f75849b rare", status: "all", category: null, now: new Date() } as const;
  const byWords = await planOf(db, (explaining) => searchMarkets(explaining, filters, { ...FIRST, by: "words" }));
  expect(byWords).toContain("Bitmap Index Scan on markets_search");
  expect(byWords).not.toContain("Seq Scan on markets");
  const byLikeness = await planOf(db, (explaining) =>
    searchMarkets(explaining, { ...filters, words: "hapenn wil" }, { ...FIRST, by: "likeness" }),
  );
  expect(byLikeness).toContain("Bitmap Index Scan on markets_title_trigrams");
  expect(byLikeness).not.toContain("Seq Scan on markets");
});

test("words are searched for both ways in one statement, which ends with the first where a market has them", async () => {
  const asked = (words: string) =>
    readsOf(db, "markets", (explaining) =>
      searchMarkets(explaining, { words, status: "all", category: null, now: new Date() }, { ...FIRST, by: null }),
    );
  const usesTrigrams = async (words: string) => (await asked(words)).some((node) => node["Index Name"] === "markets_title_trigrams");
  expect(await usesTrigrams("will happen")).toBe(false);
  expect(await usesTrigrams("hapenn wil")).toBe(true);
});

describe("a page of exploration", () => {
  const explained = (sort: ExploreSort, place: { generation: number; key: string; id: number } | null = null) =>
    planOf(db, (explaining) => exploreMarkets(explaining, { ...EVERYTHING, sort }, { place, limit: 24 }, new Date()));

  test.each([
    ["trending", "9000"],
    ["volume", "9000"],
    ["expiring", "1970-01-01T02:30:00Z"],
  ] as const)("by %s is read off its index in order", async (sort, key) => {
    for (const place of [null, { generation: 1, key, id: 9_000 }]) {
      const plan = await explained(sort, place);
      expect(plan).toContain(`Index Scan using explore_entries_${sort} on explore_entries e`);
      expect(plan).not.toContain("Seq Scan on explore_entries");
      expect(plan).not.toMatch(/Sort Key: e\./);
    }
  });

  test("counts the wallets of large trades on their index alone", async () => {
    expect(await explained("trending")).toContain("Index Only Scan using large_trades_market on large_trades l");
  });

  test.each([
    ["that is still traded in", { ...EVERYTHING, status: "active" }, 25, 20_000],
    ["of a rare category", { ...EVERYTHING, category: "tennis" }, 100, 100],
    ["that is still traded in, of a rare category", { ...EVERYTHING, status: "active", category: "tennis" }, 100, 100],
  ] as const)("%s reads a part of the entries, and none to count them", async (_, filters, most, total) => {
    const asked = { ...filters, sort: "volume" } as const;
    // Before the first of them ends: as many as end between two builds are looked up besides.
    const now = new Date(0);
    const nodes = await readsOf(db, "explore_entries", (explaining) => exploreMarkets(explaining, asked, { place: null, limit: 24 }, now));
    expect(rowsRead(nodes)).toBeLessThanOrEqual(most);
    expect((await exploreMarkets(db, asked, { place: null, limit: 24 }, now))?.total).toBe(total);
  });

  test("reads prices off the indexes of an outcome's days and a market's fills", async () => {
    const plan = await explained("trending");
    expect(plan).toContain("Index Only Scan Backward using outcome_days_close on outcome_days");
    expect(plan).toContain("Index Scan Backward using ledger_entries_market on ledger_entries f");
    expect(plan).toContain("Index Cond: (market_id = m.id)");
  });
});
