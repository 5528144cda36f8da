import type { Pool, PoolClient } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import type { LedgerEntry } from "../../../../src/ingest/ledger/ledger-entry.ts";
import { lockLedger, recordLedgerEntries } from "../../../../src/ingest/ledger/record-ledger-entries.ts";
import { valuePositions } from "../../../../src/ingest/ledger/value-positions.ts";
import { markPosition } from "../../../support/oracles/mark-position.ts";
import { textsOf } from "../../../support/database/before-each-query.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

/** A fill of less than a hundredth of a share sets no price. */
const DUST = 9_999n;

async function open() {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  const ingest = joinIngest(pool);
  const buy = (n: number, facts: Parameters<typeof aTrade>[0] = {}) =>
    ingest.apply("all", pageOf([aTrade({ n, wallet: n, ...facts })]));
  return { pool, openPool, ingest, buy };
}

/** Quotes the market's first outcome at this price; null removes the quote. */
const quote = (pool: Pool, price: string | null, market = 1) =>
  pool.query(`update outcomes set best_bid = $2, best_ask = $2 where token_id = $1`, [tokenOf(market, 0), price]);

/** The stored value of each trader's position in the market's first outcome, in micro-dollars. */
async function valuesOf(pool: Pool, market = 1): Promise<Record<string, string | null>> {
  const { rows } = await pool.query<{ address: string; value: string | null }>(
    `select t.address, p.value_micro as value from positions p join traders t on t.id = p.trader_id join outcomes o on o.id = p.outcome_id
     where o.token_id = $1 order by t.address`,
    [tokenOf(market, 0)],
  );
  return Object.fromEntries(rows.map(({ address, value }) => [address, value]));
}

/** The first outcome's mark price, and the price that its positions are valued at. */
async function pricesOf(pool: Pool): Promise<{ mark: number; valued: number }> {
  const { rows } = await pool.query<{ mark: number; valued: number }>(
    `select mark_price::float8 as mark, valued_price::float8 as valued from outcomes where token_id = $1`,
    [tokenOf(1, 0)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("there is no outcome");
  return row;
}

const resolve = (pool: Pool, firstPpm: number | null) =>
  inTransaction(pool, (session) =>
    applyResolutions(session, [conditionOf(1)], [aResolution(1, firstPpm)], [], new Date(0)),
  );

test("a price that returns while its outcome is locked leaves no position at the price between", async () => {
  const { pool, openPool, buy } = await open();
  for (const n of [1, 2]) await buy(n, { price: "0.5" });
  await quote(pool, "0.5");
  while (await valuePositions(pool));
  const before = await valuesOf(pool);
  const page = await openPool().connect();
  await quote(pool, "0.8");
  await page.query("begin");
  await page.query(`select from outcomes where token_id = $1 for share`, [tokenOf(1, 0)]);
  await valuePositions(pool);
  expect(await valuesOf(pool)).not.toEqual(before);
  expect(await pricesOf(pool)).toEqual({ mark: 0.8, valued: 0.5 });
  await page.query("commit");
  page.release();
  await quote(pool, "0.5");
  await valuePositions(pool);
  expect(await pricesOf(pool)).toEqual({ mark: 0.5, valued: 0.5 });
  expect(await valuesOf(pool)).toEqual(before);
});

describe("value of a position", () => {
  test.each([
    ["0.5", 10_000_000n],
    ["0.0005", 1_000n],
    // Half a micro-dollar is rounded away from zero.
    ["0.5", 3n],
    ["0.1234564", 1_000_000_000_000n],
    ["0", 5_000_000n],
    ["1", 7n],
  ])(
    "at a price of %s the value of %s micro-shares equals markPosition after a page and after the job",
    async (price, sharesMicro) => {
      const { pool, buy } = await open();
      const expected = String(markPosition({ sharesMicro, costMicro: 0n }, Number(price))?.valueMicro);
      await buy(1, { sharesMicro });
      expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: null });
      await quote(pool, price);
      expect(await valuePositions(pool)).toBe(false);
      await buy(2, { sharesMicro });
      expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: expected, [walletOf(2)]: expected });
    },
  );

  test("a position is valued by the last trade when its quote is removed", async () => {
    const { pool, buy } = await open();
    await buy(1);
    await quote(pool, "0.25");
    await valuePositions(pool);
    await quote(pool, null);
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "5000000" });
  });

  test("a position without quote and last trade has a null value, not 0", async () => {
    const { pool, buy } = await open();
    await buy(1, { sharesMicro: DUST });
    await quote(pool, "0.25");
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "2500" });
    await quote(pool, null);
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: null });
  });

  test("a position without open shares has the value 0 with and without a price", async () => {
    const { pool, buy } = await open();
    await buy(1);
    await buy(2, { wallet: 1, side: "SELL", atSeconds: 1_760_000_010 });
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "0" });
    await quote(pool, "0.5");
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "0" });
  });

  test("a resolved market's positions have no value, and a withdrawn resolution restores it at the current price", async () => {
    const { pool, buy } = await open();
    await buy(1);
    await quote(pool, "0.25");
    await valuePositions(pool);
    await resolve(pool, 1_000_000);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: null });
    await buy(2);
    await quote(pool, "0.75");
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: null, [walletOf(2)]: null });
    await resolve(pool, null);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "7500000", [walletOf(2)]: "7500000" });
  });
});

/**
 * Runs `work`, which acts as another process, before transaction number `transaction` begins or before it
 * commits.
 */
function interrupted(pool: Pool, at: "begin" | "commit", transaction: number, work: () => Promise<void>): Pool {
  let seen = 0;
  const watch = <T extends object>(target: T, own: Readonly<Record<string, unknown>>): T =>
    new Proxy(target, {
      get(_, name) {
        if (typeof name === "string" && name in own) return own[name];
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return watch(pool, {
    connect: async () => {
      seen += 1;
      const ordinal = seen;
      if (at === "begin" && ordinal === transaction) await work();
      const client = await pool.connect();
      return watch(client, {
        query: async (...args: Parameters<PoolClient["query"]>) => {
          if (at === "commit" && ordinal === transaction && textsOf(args[0]).includes("commit")) await work();
          return client.query(...args);
        },
      });
    },
  });
}

/** The job's transaction that locks outcomes: it follows the listing one and the one that writes most values. */
const LOCKED = 3;

async function waitForRowWaiter(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple') and datname = current_database()`,
    );
    if (rows.length > 0) return;
    await new Promise((done) => setTimeout(done, 10));
  }
}

describe("page applied during the valuation job", () => {
  async function aMovingMarket() {
    const { pool, openPool, buy } = await open();
    await buy(1);
    await quote(pool, "0.5");
    await valuePositions(pool);
    await quote(pool, "0.75");
    const other = openPool();
    /** A second trader buys, and the first buys again. */
    const page = (through: Pool) =>
      joinIngest(through).apply(
        "all",
        pageOf([aTrade({ n: 8, wallet: 2 }), aTrade({ n: 9, wallet: 1, atSeconds: 1_760_000_020 })]),
      );
    return { pool, other, openPool, page };
  }

  const EXPECTED_VALUES = { [walletOf(1)]: "15000000", [walletOf(2)]: "7500000" };

  test("a page that is applied after most values are written ends with values at the new price", async () => {
    const { pool, other, page } = await aMovingMarket();
    await valuePositions(interrupted(pool, "begin", LOCKED, async () => void (await page(other))));
    expect(await valuesOf(pool)).toEqual(EXPECTED_VALUES);
  });

  test("a page that waits for the job's outcomes ends with values at the new price", async () => {
    const { pool, other, openPool, page } = await aMovingMarket();
    const watcher = openPool();
    let applied: Promise<unknown> = Promise.resolve();
    await valuePositions(
      interrupted(pool, "commit", LOCKED, async () => {
        applied = page(other);
        await waitForRowWaiter(watcher);
      }),
    );
    await applied;
    expect(await valuesOf(pool)).toEqual(EXPECTED_VALUES);
  });

  test("a job beside a page that has not committed does not wait for it, and the next run values its position", async () => {
    const { pool, other } = await aMovingMarket();
    const { rows } = await pool.query<{ outcome_id: string; market_id: string }>(
      `select outcome_id, market_id from positions`,
    );
    const [bought] = rows;
    if (bought === undefined) throw new Error("there is no position");
    const added = await pool.query<{ id: string }>(`insert into traders (address) values ($1) returning id`, [
      walletOf(9),
    ]);
    // An older fill of another trader: neither the last trade nor a stored position is written.
    const older: LedgerEntry = {
      txHash: `0x${"c".repeat(64)}`,
      traderId: Number(added.rows[0]?.id),
      outcomeId: Number(bought.outcome_id),
      marketId: Number(bought.market_id),
      kind: "buy",
      sharesMicro: 10_000_000n,
      ordinal: 0,
      usdMicro: 5_000_000n,
      feeMicro: null,
      price: "0.5",
      role: null,
      tradedAtMs: 1_700_000_000_000,
    };
    await inTransaction(other, async (session) => {
      await lockLedger(session);
      await recordLedgerEntries(session, [older]);
      await valuePositions(pool);
    });
    expect(await pricesOf(pool)).toEqual({ mark: 0.75, valued: 0.5 });
    await valuePositions(pool);
    expect(await pricesOf(pool)).toEqual({ mark: 0.75, valued: 0.75 });
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "7500000", [walletOf(9)]: "7500000" });
  });

  test("a job beside a result that is being withdrawn leaves the restored values due", async () => {
    const { pool, other } = await aMovingMarket();
    await resolve(pool, 1_000_000);
    await quote(pool, "0.75");
    await inTransaction(other, async (session) => {
      await applyResolutions(session, [conditionOf(1)], [aResolution(1, null)], [], new Date(0));
      await valuePositions(pool);
    });
    expect(await pricesOf(pool)).toEqual({ mark: 0.75, valued: 0.5 });
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "7500000" });
  });

  test("a job values positions while another transaction has the ledger lock", async () => {
    const { pool, other } = await aMovingMarket();
    await inTransaction(other, async (session) => {
      await lockLedger(session);
      await valuePositions(pool);
    });
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "7500000" });
  });

  test("a position that another transaction has locked keeps its outcome due", async () => {
    const { pool, openPool } = await aMovingMarket();
    const writer = await openPool().connect();
    await writer.query("begin");
    await writer.query("select from positions for update");
    await valuePositions(pool);
    expect(await pricesOf(pool)).toEqual({ mark: 0.75, valued: 0.5 });
    await writer.query("rollback");
    writer.release();
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "7500000" });
  });
});

describe("valuation run", () => {
  test("a run without revalued outcomes writes nothing", async () => {
    const { pool, buy } = await open();
    await buy(1, { sharesMicro: DUST });
    expect(await valuePositions(pool)).toBe(false);
    const { rows } = await pool.query(`select from ingest_checkpoints where feed = 'values'`);
    expect(rows).toHaveLength(0);
  });

  test("a run takes 1,000 outcomes, and the next continues after them even if the first change again", async () => {
    const { pool } = await open();
    await pool.query(`insert into markets (condition_id) select 'condition-' || n from generate_series(1, 2250) n`);
    await pool.query(
      `insert into outcomes (market_id, token_id, outcome_index, best_bid, best_ask) select id, 'token-' || id, 0, 0.5, 0.5 from markets`,
    );
    const moveFirst = (price: string) =>
      pool.query(
        `update outcomes set best_bid = $1, best_ask = $1 where id in (select id from outcomes order by id limit 1500)`,
        [price],
      );
    const waiting = async () => {
      const { rows } = await pool.query<{ count: string }>(`select count(*) from outcomes where valued_price is null`);
      return Number(rows[0]?.count);
    };
    expect(await valuePositions(pool)).toBe(true);
    expect(await waiting()).toBe(1_250);
    await moveFirst("0.6");
    expect(await valuePositions(pool)).toBe(true);
    await moveFirst("0.7");
    expect(await valuePositions(pool)).toBe(false);
    expect(await waiting()).toBe(0);
    while (await valuePositions(pool));
    const { rows } = await pool.query(`select from outcomes where mark_price is distinct from valued_price`);
    expect(rows).toHaveLength(0);
  });

  test("a run skips an outcome that is locked by a writer, and the next run values it", async () => {
    const { pool, openPool, buy } = await open();
    await buy(1);
    await quote(pool, "0.5");
    const writer = await openPool().connect();
    await writer.query("begin");
    await writer.query(`select from outcomes for update`);
    await valuePositions(pool);
    const { rows } = await pool.query<{ valued_price: string | null }>(`select valued_price from outcomes`);
    expect(rows).toEqual([{ valued_price: null }]);
    await writer.query("rollback");
    writer.release();
    await valuePositions(pool);
    expect(await valuesOf(pool)).toEqual({ [walletOf(1)]: "5000000" });
  });

  test("a run values an outcome with more holders than one statement writes", async () => {
    const { pool } = await open();
    await pool.query(`insert into markets (condition_id) values ('wide')`);
    await pool.query(
      `insert into outcomes (market_id, token_id, outcome_index, last_trade_price) select id, 'wide', 0, 0.5 from markets`,
    );
    await pool.query(
      `insert into positions (trader_id, outcome_id, market_id, shares_micro, cost_micro, realized_micro, bought_shares_micro, bought_usd_micro,
         sold_shares_micro, sold_usd_micro, fees_micro, unmatched_shares_micro, entry_count, first_at, last_at)
       select n, o.id, o.market_id, n * 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, now(), now() from outcomes o, generate_series(1, 12001) n`,
    );
    expect(await valuePositions(pool)).toBe(false);
    const { rows } = await pool.query(`select from positions where value_micro is distinct from trader_id`);
    expect(rows).toHaveLength(0);
  });
});
