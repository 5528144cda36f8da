import { expect, test } from "vitest";
import { createTestDatabase } from "../../../support/database/database.ts";

const MARKETS = 20_000;

/*
 * Each page of trades inserts into the ledger, and a trigger joins the new rows with their markets. For many rows it is best to
 * read all markets; for few it is not.
 */
test("a small page after a large one of the same session does not read all markets", async () => {
  const { openPool } = await createTestDatabase();
  const client = await openPool().connect();
  await client.query(
    `insert into markets (condition_id) select '0x' || lpad(to_hex(n), 64, '0') from generate_series(1, ${MARKETS}) n`,
  );
  await client.query("analyze markets");
  const countScans = async () => {
    const { rows } = await client.query<{ n: string }>("select pg_stat_get_xact_numscans('markets'::regclass) as n");
    return Number(rows[0]?.n);
  };
  /** How often the insert of as many entries reads all markets. */
  const scansOf = async (entries: number) => {
    await client.query("begin");
    const before = await countScans();
    await client.query(
      `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
       select sha256(convert_to('${entries} ' || n, 'UTF8')), 1, 1, n, 'buy', 1, 0, 1, 0.5, now() from generate_series(1, ${entries}) n`,
    );
    const after = await countScans();
    await client.query("commit");
    return after - before;
  };
  expect(await scansOf(MARKETS)).toBe(1);
  expect(await scansOf(2)).toBe(0);
  client.release();
});
