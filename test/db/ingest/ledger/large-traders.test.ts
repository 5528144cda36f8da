import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredDifference } from "../../../../scripts/recompute/figures.ts";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import { sessionOverTcp } from "../../../../scripts/services/postgres/session-over-tcp.ts";
import { inTransaction, type Session } from "../../../../src/db/client.ts";
import { applyActivityPage } from "../../../../src/ingest/traders/apply-activity-page.ts";
import { applyTradePage } from "../../../../src/ingest/feeds/apply-trade-page.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { scoreMarket } from "../../../../src/ingest/skill/score-market.ts";
import { NEW_FEED } from "../../../../src/ingest/feeds/trade-walk-state.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aTrade, asActivity, conditionOf, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

/*
 * The cost of a page must not grow with the trader's history. Instead of time, the test counts the rows that
 * Postgres reads.
 */
const START = 1_760_000_000;
/** Number of fills of each trader, spread evenly over its markets. */
const TRADERS = {
  small: { wallet: 1, fills: 1_000, markets: 10 },
  large: { wallet: 2, fills: 100_000, markets: 1_000 },
  /** All fills in one market: one position. */
  narrow: { wallet: 3, fills: 20_000, markets: 1 },
} as const;
type Size = keyof typeof TRADERS;
const LAST_SECOND = START + 100_000;

let pool: pg.Pool;
beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // Stores the markets and traders as ingest does, so that their rows are complete.
  const rowIds = new RowIdCache();
  const rows = Array.from({ length: 1_000 }, (_, n) =>
    aTrade({ n: n + 1, wallet: 1 + (n % 3), market: n + 1, atSeconds: START }),
  );
  await inTransaction(asNeon(pool), (session) =>
    applyTradePage(session, "all", pageOf(rows), null, () => NEW_FEED, { rowIds, largeTradeMinUsd: 5_000 }),
  );
  for (const { wallet, fills, markets } of Object.values(TRADERS)) await addFills(wallet, fills, markets);
  const client = await pool.connect();
  await recompute(client, { verify: false, onDifference: () => undefined });
  await client.query("analyze");
  client.release();
});
afterAll(() => pool.end());

// Over TCP instead of a WebSocket. Ingest only uses what both drivers support.
const asNeon = (own: pg.Pool): Pool => own as unknown as Pool;

/** Buys of one share at 0.40, a second apart, written directly to the ledger. */
async function addFills(wallet: number, fills: number, markets: number): Promise<void> {
  await pool.query(
    `insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, fee_micro, price, traded_at)
     select decode(lpad(to_hex($2::bigint * 1000000 + n), 64, 'f'), 'hex'), t.id, o.id, o.market_id, 'buy', 1000000, 0, 400000, 0, 0.4,
       to_timestamp($3::bigint + n % 100000)
     from generate_series(1, $4::int) n
     join traders t on t.address = $1 join markets m on m.condition_id = '0x' || lpad(to_hex(1 + n % $5::int), 64, '0')
     join outcomes o on o.market_id = m.id and o.outcome_index = 0`,
    [walletOf(wallet), wallet, START, fills, markets],
  );
}

/** Rows of each table that the work reads in its transaction, which is rolled back. */
async function countReads(work: (session: Session) => Promise<unknown>): Promise<Record<string, number>> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const before = await readSoFar(client);
    await work(sessionOverTcp(client));
    const after = await readSoFar(client);
    return Object.fromEntries(
      [...after]
        .map(([table, read]) => [table, read - (before.get(table) ?? 0)] as const)
        .filter(([, read]) => read > 0),
    );
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** By table: rows that this session has read and not yet reported. */
async function readSoFar(client: pg.PoolClient): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ relname: string; read: string }>(
    `select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables`,
  );
  return new Map(rows.map(({ relname, read }) => [relname, Number(read)]));
}

const newest = (size: Size, side: "BUY" | "SELL") =>
  aTrade({
    n: 9_000_000,
    wallet: TRADERS[size].wallet,
    market: 1,
    side,
    sharesMicro: 1_000_000n,
    price: "0.7",
    atSeconds: LAST_SECOND,
  });

const PAGES: readonly (readonly [string, (session: Session, size: Size) => Promise<unknown>])[] = [
  ...(["BUY", "SELL"] as const).map(
    (side) =>
      [
        `a page with the newest ${side} of a trader`,
        (session: Session, size: Size) =>
          applyTradePage(session, "all", pageOf([newest(size, side)]), null, () => NEW_FEED, {
            rowIds: new RowIdCache(),
            largeTradeMinUsd: 5_000,
          }),
      ] as const,
  ),
  [
    "a page of a trader's activity",
    (session, size) =>
      applyActivityPage(
        session,
        walletOf(TRADERS[size].wallet),
        pageOf([asActivity({ ...newest(size, "SELL"), feeMicro: 1_000n })]),
        null,
        new RowIdCache(),
      ),
  ],
];

const sum = (reads: Record<string, number>) => Object.values(reads).reduce((total, read) => total + read, 0);

describe("the cost of a page", () => {
  test.each(PAGES)(
    "%s reads few rows for a trader of 1,000 fills, of 100,000, or of 20,000 in one position",
    async (_, work) => {
      const small = await countReads((session) => work(session, "small"));
      // The trader's own rows: the position, its totals, its day.
      expect(small["positions"]).toBeGreaterThan(0);
      for (const size of ["small", "large", "narrow"] as const) {
        const reads = await countReads((session) => work(session, size));
        expect(reads["ledger_entries"] ?? 0).toBeLessThan(10);
        expect(sum(reads)).toBeLessThan(60);
        // The few stored traders may be scanned.
        expect(Math.abs(sum(reads) - sum(small))).toBeLessThan(10);
      }
    },
  );
});

test("the totals of large traders match a fold from the beginning", async () => {
  const work = pageOf([newest("large", "SELL"), newest("narrow", "SELL")]);
  await inTransaction(asNeon(pool), (session) =>
    applyTradePage(session, "all", work, null, () => NEW_FEED, { rowIds: new RowIdCache(), largeTradeMinUsd: 5_000 }),
  );
  const client = await pool.connect();
  const differences: StoredDifference[] = [];
  const { entries } = await recompute(client, { verify: true, onDifference: (one) => differences.push(one) });
  client.release();
  expect(differences).toEqual([]);
  expect(entries).toBe(1_000 + 1_000 + 100_000 + 20_000 + 2);
});

test("scoring the bets of one market reads no ledger entries of other markets", async () => {
  await pool.query(
    `update markets set payouts_ppm = array[1000000, 0], settled_on = '2025-10-20' where condition_id = any($1::text[])`,
    [[conditionOf(2), conditionOf(3)]],
  );
  const { rows } = await pool.query<{ id: number; entries: string }>(
    `insert into skill_due (market_id) select id from markets where payouts_ppm is not null
     returning market_id as id, (select count(*) from ledger_entries e where e.market_id = skill_due.market_id) as entries`,
  );
  for (const { id, entries } of rows) {
    await pool.query("select pg_stat_force_next_flush()");
    const before = await readOfLedger();
    await scoreMarket(asNeon(pool), Number(id));
    await pool.query("select pg_stat_force_next_flush()");
    // Each entry, and for its role those of its transaction.
    expect((await readOfLedger()) - before).toBeLessThanOrEqual(2 * Number(entries));
  }
});

async function readOfLedger(): Promise<number> {
  const { rows } = await pool.query<{ read: string }>(
    `select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'ledger_entries'`,
  );
  return Number(rows[0]?.read);
}
