import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const TABLES = [
  "traders",
  "provider_events",
  "markets",
  "outcomes",
  "ledger_entries",
  "positions",
  "trader_totals",
  "trader_days",
  "large_trades",
  "events",
  "trader_syncs",
  "quarantined_records",
  "ingest_checkpoints",
] as const;

/** A page that writes to every table: one trade is large, one record is invalid. */
const PAGE = pageOf(
  [aTrade({ n: 2, wallet: 2, sharesMicro: 20_000_000_000n, price: "0.5" }), aTrade({ n: 1 })],
  [{ record: { broken: true }, reason: "no wallet" }],
);

test.each(TABLES)("a page that fails while it writes to %s stores nothing and can be applied again", async (table) => {
  const pool = database.openPool();
  const { apply } = await openIngest(pool);
  const counts = async () => {
    const { rows } = await pool.query<Record<string, number>>(
      `select ${TABLES.map((name) => `(select count(*) from ${name})::int as ${name}`).join(", ")}`,
    );
    return rows[0] ?? {};
  };
  await pool.query(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
     create trigger fail after insert on ${table} for each row execute function fail()`,
  );
  await expect(apply("takers", PAGE)).rejects.toThrow("the disk is full");
  expect(Object.values(await counts())).toEqual(TABLES.map(() => 0));
  await pool.query(`drop trigger fail on ${table}`);
  await apply("takers", PAGE);
  expect(Object.values(await counts()).every((count) => count > 0)).toBe(true);
});
