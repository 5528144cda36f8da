import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../support/database/database.ts";

const MARKETS = 20_000;

/* Each page of trades inserts into the ledger, and a trigger finds the new rows of combos, 1 % of these markets. */
test("the insert of a page reads the markets of its entries and no others", async () => {
  const { openPool } = await createTestDatabase();
  const client = await openPool().connect();
  onTestFinished(() => client.release());
  await client.query(
    `insert into markets (condition_id) select case when n % 100 = 0 then '0x03' || lpad(to_hex(n), 60, '0')
       else '0x' || lpad(to_hex(n), 64, '0') end from generate_series(1, ${MARKETS}) n`,
  );
  await client.query("analyze markets");
  const countRead = async () => {
    const { rows } = await client.query<{ n: string }>(
      `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'markets'`,
    );
    return Number(rows[0]?.n);
  };
  /** How many markets the insert of fills in these markets reads. */
  const marketsRead = async (first: number, last: number) => {
    await client.query("begin");
    const before = await countRead();
    await client.query(
      `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
       select sha256(n::text::bytea), 1, 1, n, 'buy', 1, 0, 1, 0.5, now() from generate_series(${first}, ${last}) n`,
    );
    const after = await countRead();
    await client.query("commit");
    return after - before;
  };
  expect(await marketsRead(1, 50)).toBe(50);
  expect(await marketsRead(100, 100)).toBe(1);
  const { rows } = await client.query("select market_id from combo_fills");
  expect(rows).toEqual([{ market_id: "100" }]);
  // A plan that is chosen for many rows does not stay for few.
  await marketsRead(101, MARKETS);
  await client.query("update ledger_entries set tx_hash = sha256(tx_hash)");
  expect(await marketsRead(1, 2)).toBe(2);
});
