import type { Pool } from "@neondatabase/serverless";
import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { prunePendingFills } from "../../../../src/ingest/chain/prune-pending-fills.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
/** 62 days earlier. */
const LIMIT = "2026-09-19T12:00:00Z";
const EARLIER = "2026-09-19T11:59:59Z";

const addFill = (pool: Pool, block: number, tradedAt: string) =>
  pool.query(
    `insert into chain_pending_fills (block_number, log_index, tx_hash, token_id, address, is_taker, side, shares_micro, usd_micro, traded_at)
     values ($1, 7, '\\xabcd', '123', '0xtrader', true, 'BUY', 2500000, 1250000, $2)`,
    [block, tradedAt],
  );

const prune = (pool: Pool, batch?: number) => inTransaction(pool, (session) => prunePendingFills(session, NOW, batch));

async function blocksOf(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ block: number }>(
    "select block_number::int as block from chain_pending_fills order by 1",
  );
  return rows.map(({ block }) => block);
}

test("a fill whose market stayed unknown for 62 days is deleted and quarantined", async () => {
  const pool = (await createTestDatabase()).openPool();
  await addFill(pool, 1, EARLIER);
  await addFill(pool, 2, LIMIT);
  expect(await prune(pool)).toBe(false);
  expect(await blocksOf(pool)).toEqual([2]);
  const quarantined = () => pool.query("select feed, reason, record from quarantined_records");
  const expected = [
    {
      feed: "chain:fills",
      reason: "its market stayed unknown for 62 days",
      record: {
        block_number: 1,
        log_index: 7,
        transaction_hash: "0xabcd",
        trader: "0xtrader",
        side: "BUY",
        token_id: "123",
        shares: "2.500000",
        usd: "1.250000",
      },
    },
  ];
  expect((await quarantined()).rows).toEqual(expected);
  expect(await prune(pool)).toBe(false);
  expect((await quarantined()).rows).toEqual(expected);
});

test("a run deletes a bounded number of fills, the oldest blocks first, and says whether more may be due", async () => {
  const pool = (await createTestDatabase()).openPool();
  for (const block of [3, 1, 2]) await addFill(pool, block, EARLIER);
  expect(await prune(pool, 2)).toBe(true);
  expect(await blocksOf(pool)).toEqual([3]);
  expect(await prune(pool, 2)).toBe(false);
  expect(await blocksOf(pool)).toEqual([]);
});
