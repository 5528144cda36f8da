import type { Pool } from "@neondatabase/serverless";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, asActivity, pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";

/*
 * Rows that are written again soon after they were added. Their pages have room, so that Postgres writes the new version beside
 * the old one and to no index ("heap-only"). About 47 fills fit into a page.
 */

const NOON = new Date("2025-10-09T12:00:00Z");

/** Updated rows of a table so far, and those of them without a write to an index. */
async function countUpdates(pool: Pool, table: string): Promise<unknown> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    `select n_tup_upd::int as all, n_tup_hot_upd::int as heap_only from pg_stat_user_tables where relname = $1`,
    [table],
  );
  return rows[0];
}

test("fees of fills that the trade feed has recorded are written to no index", async () => {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  await followTrader(pool, 1);
  const fills = Array.from({ length: 400 }, (_, n) =>
    aTrade({ n: n + 1, market: 1 + (n % 7), atSeconds: 1_760_000_000 + n }),
  );
  await joinIngest(pool).apply("all", pageOf(fills));
  const withFees = fills.filter((_, n) => n % 40 === 0).map((fill) => asActivity({ ...fill, feeMicro: 5n }));
  await syncFollowedTrader(pool, anActivityProvider(1, [pageOf(withFees)]), 1, NOON);
  expect(await countUpdates(pool, "ledger_entries")).toEqual({ all: 10, heap_only: 10 });
});

test("scores are written to no index of the traders", async () => {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  await pool.query(
    `insert into traders (address) select '0x' || lpad(to_hex(n), 40, '0') from generate_series(1, 1000) n`,
  );
  await pool.query(`update traders set score = 0.5, graded_at = now() where id % 10 = 0`);
  expect(await countUpdates(pool, "traders")).toEqual({ all: 100, heap_only: 100 });
});
