import { expect, test } from "vitest";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { claimUnhydratedMarkets, listBooksToRefresh } from "../../../../src/ingest/queue/list-due-work.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";

const MARKETS = 20_000;
const NOON = new Date("2026-11-20T12:00:00Z");

/**
 * A database of many markets of two outcomes. Half are combos without a market object; the others are described and open, and
 * one in a hundred of them had a large trade.
 */
async function aLargeCatalog() {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  await pool.query(
    `insert into markets (condition_id, hydrated_at, large_trade_last_at)
     select case when n % 2 = 0 then '0x03' || lpad(to_hex(n), 60, '0') else '0x0a' || lpad(to_hex(n), 62, '0') end,
       case when n % 2 = 1 then now() end, case when n % 200 = 1 then now() - make_interval(secs => n) end
     from generate_series(1, ${MARKETS}) n`,
  );
  await pool.query(
    `insert into outcomes (market_id, token_id, outcome_index) select id, 'token-' || id || '-' || i, i from markets, generate_series(0, 1) i`,
  );
  await pool.query("analyze markets; analyze outcomes");
  /** Rows of a table that the work reads, by scans and through indexes. */
  const countRead = async (table: "markets" | "outcomes", work: () => Promise<unknown>) => {
    const read = async () => {
      await pool.query("select pg_stat_force_next_flush()");
      const { rows } = await pool.query<{ n: string }>(
        `select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = $1`,
        [table],
      );
      return Number(rows[0]?.n);
    };
    const before = await read();
    await work();
    return (await read()) - before;
  };
  return { pool, countRead };
}

const describeFifty = (first: number) => Array.from({ length: 50 }, (_, n) => aProviderMarket(first + n));

test("a page of new market objects reads its own outcomes and markets, and no others", async () => {
  const { pool, countRead } = await aLargeCatalog();
  await applyMarkets(pool, describeFifty(30_000), [], NOON);
  expect(await countRead("outcomes", () => applyMarkets(pool, describeFifty(31_000), [], NOON))).toBeLessThan(2_000);
  expect(await countRead("markets", () => applyMarkets(pool, describeFifty(32_000), [], NOON))).toBeLessThan(4_000);
});

test("markets that are due for their object are found beside thousands of combos that have none", async () => {
  const { pool, countRead } = await aLargeCatalog();
  await pool.query("insert into markets (condition_id) values ('0x0b')");
  expect(await countRead("markets", () => claimUnhydratedMarkets(pool, 100))).toBeLessThan(50);
});

test("books of the newest large trades are found without reading the other markets", async () => {
  const { pool, countRead } = await aLargeCatalog();
  expect(
    await countRead("markets", async () => expect((await listBooksToRefresh(pool)).length).toBeGreaterThan(0)),
  ).toBeLessThanOrEqual(100);
});
