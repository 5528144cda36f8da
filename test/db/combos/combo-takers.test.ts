import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { fillTakers } from "../../../src/ingest/combos/fill-takers.ts";
import { listComboFills } from "../../../src/queries/combos/list-combo-fills.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { joinIngest, openIngest } from "../../support/ingest/ingest-under-test.ts";
import { aComboTrade } from "../../support/ingest/provider/provider-combos.ts";
import { pageOf } from "../../support/ingest/provider/provider-trades.ts";

const START = 1_760_000_000;
/** Of one execution: the taker, and the maker that only the feed of all trades shows. */
const TAKER = aComboTrade({ n: 1, market: 1, wallet: 1, sharesMicro: 9_000_000n, price: "0.4", atSeconds: START });
const MAKER = aComboTrade({ n: 1, market: 1, wallet: 2, sharesMicro: 8_000_000n, price: "0.4", atSeconds: START });

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  pool = database.openPool(onTestFinished);
  await openIngest(pool);
  await pool.query("delete from combo_fills");
});

const apply = (feed: "all" | "takers", ...trades: (typeof TAKER)[]) => joinIngest(pool).apply(feed, pageOf(trades));

/** `is_taker` by shares, and beside it what the entry's role says. */
async function listTakers(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select f.shares_micro::int / 1000000 as shares, f.is_taker, e.role from combo_fills f
     join ledger_entries e on e.id = f.entry_id order by 1 desc`,
  );
  return rows;
}

const KNOWN = [
  { shares: 9, is_taker: true, role: "taker" },
  { shares: 8, is_taker: false, role: null },
];

async function listShares(): Promise<bigint[]> {
  const filters = {
    results: null,
    legs: null,
    minStakeUsd: 0,
    minMultiplier: 0,
    grades: null,
    sports: null,
    since: null,
  };
  const page = { sort: "recent", limit: 50, cursor: null, offset: 0 } as const;
  const { fills } = await listComboFills(database.db, filters, page, new Date(START * 1000));
  return fills.map((fill) => fill.shares_micro);
}

test("a fill of the taker feed is a taker's from its first row on, and a maker's fill is not", async () => {
  await apply("takers", TAKER);
  await apply("all", TAKER, MAKER);
  expect(await listTakers()).toEqual(KNOWN);
  expect(await listShares()).toEqual([9_000_000n]);
});

test("a fill becomes a taker's when its role becomes known later, and pages that are read again change nothing", async () => {
  await apply("all", TAKER, MAKER);
  expect(await listTakers()).toEqual(KNOWN.map((row) => ({ ...row, is_taker: false, role: null })));
  expect(await listShares()).toEqual([]);
  for (let round = 0; round < 2; round++) {
    await apply("takers", TAKER);
    await apply("all", TAKER, MAKER);
    expect(await listTakers()).toEqual(KNOWN);
  }
  expect(await listShares()).toEqual([9_000_000n]);
});

test("a corrected role corrects the fill", async () => {
  await apply("takers", TAKER, MAKER);
  await pool.query("update ledger_entries set role = null where shares_micro = 8000000");
  expect(await listTakers()).toEqual(KNOWN);
  // Another column of the entry changes nothing.
  await pool.query("update ledger_entries set fee_micro = 1");
  expect(await listTakers()).toEqual(KNOWN);
});

test("rows from before the column are listed by the role of their entry, and the job fills them", async () => {
  await apply("takers", TAKER);
  await apply("all", MAKER);
  await pool.query("update combo_fills set is_taker = null");
  expect(await listShares()).toEqual([9_000_000n]);
  expect(await fillTakers(pool)).toBe(false);
  expect(await listTakers()).toEqual(KNOWN);
  expect(await listShares()).toEqual([9_000_000n]);
});

test("a role that changes while the job fills is not overwritten", async () => {
  await apply("all", TAKER, MAKER);
  await pool.query("update combo_fills set is_taker = null");
  const other = database.openPool(onTestFinished);
  const client = await other.connect();
  try {
    await client.query("begin");
    await client.query("update ledger_entries set role = 'taker' where shares_micro = 9000000");
    await fillTakers(pool);
    await client.query("commit");
  } finally {
    client.release();
  }
  expect(await listTakers()).toEqual(KNOWN);
});

test("more rows than one run fills are filled by the next", async () => {
  await apply("takers", TAKER);
  await database.db
    .execute(sql`insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro,
      ordinal, usd_micro, price, role, traded_at)
    select decode(lpad(to_hex(n), 64, '0'), 'hex'), trader_id, outcome_id, market_id, kind, 1000000, 2, 400000, 0.4,
      case when n % 2 = 0 then 'taker' end, traded_at from ledger_entries, generate_series(1, 6000) n`);
  await pool.query("update combo_fills set is_taker = null");
  expect(await fillTakers(pool)).toBe(true);
  expect(await fillTakers(pool)).toBe(false);
  const { rows } = await pool.query("select is_taker, count(*)::int from combo_fills group by 1 order by 1");
  expect(rows).toEqual([
    { is_taker: false, count: 3_000 },
    { is_taker: true, count: 3_001 },
  ]);
});
