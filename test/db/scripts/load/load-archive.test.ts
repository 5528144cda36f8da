import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { loadArchive, type LoadSettings } from "../../../../scripts/load/load-archive.ts";
import { recompute } from "../../../../scripts/recompute/recompute.ts";
import { digestTables } from "../../../../scripts/soak/digest-tables.ts";
import { ingestHistory } from "../../../../scripts/soak/ingest-history.ts";
import { randomHistory } from "../../../../scripts/soak/random-history.ts";
import { valuePositions } from "../../../../src/ingest/ledger/value-positions.ts";
import { plainDecimal } from "../../../../src/providers/polymarket/payloads/decimal.ts";
import { connectClient } from "../../../support/database/connect-client.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest, LARGE_TRADE_MIN_USD, openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import {
  aDirectory,
  writeParquetTrades,
  writeTrades,
  type ArchivedTrade,
} from "../../../support/load/archive-files.ts";
import { sized } from "../../../support/sized.ts";

const NOW = Date.UTC(2025, 9, 20);
const FILLS = sized({ short: 1_500, full: 40_000 });
/** Ingest of a whole history, with activity and settlements, takes longest. */
const HISTORY_FILLS = sized({ short: 400, full: 20_000 });

let ingested: TestDatabase;
let loaded: TestDatabase;
beforeAll(async () => {
  [ingested, loaded] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});

/** Over TCP; ingest uses what both drivers support. */
function tcpPool({ databaseUrl }: TestDatabase): Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  onTestFinished(() => pool.end());
  return pool as unknown as Pool;
}

const settings = (directory: string): LoadSettings => ({
  directory,
  largeTradeMinUsd: LARGE_TRADE_MIN_USD,
  takers: false,
  fillsPerTransaction: 700,
  now: () => NOW,
});

/** The trades of a history, newest transaction first as in the provider's feed. */
function tradesOf(fills: number, seed: number): ArchivedTrade[] {
  const history = randomHistory(fills, seed);
  const transactions = Array.from({ length: history.rounds }, (_, index) => history.round(index).transactions).flat();
  return transactions
    .toSorted((a, b) => b.atSeconds - a.atSeconds)
    .flatMap(({ trades }) =>
      trades.map(({ trade, taker }) => ({
        // As the provider's rows are parsed: without zeros at the end of the price, and without a fee.
        trade: { ...trade, price: plainDecimal(trade.price) ?? trade.price, feeMicro: null },
        taker,
      })),
    );
}

async function ingestTrades(pool: Pool, trades: readonly ArchivedTrade[]): Promise<void> {
  const ingest = joinIngest(pool);
  for (const feed of ["all", "takers"] as const) {
    const rows = trades.filter(({ taker }) => taker || feed === "all").map(({ trade }) => trade);
    let carry: Parameters<typeof ingest.apply>[2] = null;
    for (let start = 0; start < rows.length; start += 1_000)
      carry = await ingest.apply(feed, pageOf(rows.slice(start, start + 1_000)), carry);
  }
}

/** Two overlapping parts of the trades; none ends inside a transaction. */
function splitTrades(trades: readonly ArchivedTrade[]): [ArchivedTrade[], ArchivedTrade[]] {
  const transactions = [...Map.groupBy(trades, ({ trade }) => trade.txHash).values()];
  const half = Math.floor(transactions.length / 2);
  return [transactions.slice(0, half + 20).flat(), transactions.slice(half).flat()];
}

test("a load of CSV and Parquet files stores what ingest stores from the same rows", async () => {
  const trades = tradesOf(FILLS, 7);
  const ingestedPool = ingested.openPool();
  const ingest = await openIngest(ingestedPool);
  await ingestTrades(ingestedPool, trades);
  const expected = await ingest.state();
  expect(expected.largeTrades.length).toBeGreaterThan(10);

  const { state } = await openIngest(loaded.openPool());
  const directory = aDirectory();
  const [newer, older] = splitTrades(trades);
  await writeParquetTrades(join(directory, "newer.parquet"), newer);
  writeTrades(join(directory, "older.csv"), older);
  const client = await connectClient(loaded.databaseUrl);
  const result = await loadArchive(client, settings(directory));
  expect(result).toMatchObject({ files: 2, added: expected.entries.length, feeds: ["all", "takers"] });
  expect(await state()).toEqual(expected);

  expect(await loadArchive(client, settings(directory))).toMatchObject({ files: 0, added: 0 });
  expect(await state()).toEqual(expected);
});

test("a load under a ledger with settled markets, splits and fees stores what ingest stores", async () => {
  const history = randomHistory(HISTORY_FILLS, 11);
  const archived = tradesOf(HISTORY_FILLS, 12);
  // Some rows are recorded already, partly without their role.
  const known = tradesOf(HISTORY_FILLS, 11).filter((_, index) => index % 3 === 0);
  const trades = [...archived, ...known].toSorted((a, b) => b.trade.tradedAt.getTime() - a.trade.tradedAt.getTime());
  const directory = aDirectory();
  writeTrades(join(directory, "fills.csv"), trades);

  const digests = [];
  for (const [database, isLoad] of [
    [ingested, false],
    [loaded, true],
  ] as const) {
    await openIngest(database.openPool());
    const pool = tcpPool(database);
    await ingestHistory(pool, history, 1, () => undefined);
    const client = await connectClient(database.databaseUrl);
    if (isLoad) await loadArchive(client, settings(directory));
    else await ingestTrades(pool, trades);
    while (await valuePositions(pool));
    expect(await recompute(client, { verify: true, onDifference: () => undefined })).toMatchObject({ differences: 0 });
    digests.push(await digestTables(client));
  }
  expect(digests[1]).toEqual(digests[0]);
});

test("a load into an empty database values its positions as ingest and the job do", async () => {
  const trades = tradesOf(FILLS, 8);
  const directory = aDirectory();
  writeTrades(join(directory, "fills.csv"), trades);
  const [ingestedPool, loadedPool] = [tcpPool(ingested), tcpPool(loaded)];
  for (const pool of [ingestedPool, loadedPool]) await openIngest(pool);
  await ingestTrades(ingestedPool, trades);
  while (await valuePositions(ingestedPool));
  await loadArchive(await connectClient(loaded.databaseUrl), settings(directory));

  const expected = await valuesOf(ingestedPool);
  expect(expected.filter(({ value_micro: value }) => value !== "0" && value !== null).length).toBeGreaterThan(50);
  expect(await valuesOf(loadedPool)).toEqual(expected);
  const { rows } = await loadedPool.query("select from outcomes where mark_price is distinct from valued_price");
  expect(rows).toHaveLength(0);
});

test("a load leaves an outcome that has open positions to the job", async () => {
  const trades = tradesOf(FILLS, 9);
  const directory = aDirectory();
  writeTrades(join(directory, "fills.csv"), trades);
  const pool = tcpPool(loaded);
  await openIngest(pool);
  // The oldest fills, whose prices differ from the newest ones.
  const older = trades.toSorted((a, b) => a.trade.tradedAt.getTime() - b.trade.tradedAt.getTime()).slice(0, FILLS / 10);
  await ingestTrades(pool, older.toReversed());
  while (await valuePositions(pool));
  await loadArchive(await connectClient(loaded.databaseUrl), settings(directory));
  const stale = `select from positions p join outcomes o on o.id = p.outcome_id
    where p.settled_micro is null and p.value_micro is distinct from
      case when p.shares_micro = 0 then 0 else round(p.shares_micro * round(o.valued_price, 6)) end`;
  expect((await pool.query(stale)).rows).toHaveLength(0);
  const { rows } = await pool.query("select from outcomes where mark_price is distinct from valued_price");
  expect(rows.length).toBeGreaterThan(0);
});

test("a load that is killed at any statement continues and ends in the same state", async () => {
  const trades = tradesOf(300, 3);
  const directory = aDirectory();
  const [newer, older] = splitTrades(trades);
  writeTrades(join(directory, "a.csv"), newer);
  writeTrades(join(directory, "b.csv"), older);
  const small = { ...settings(directory), fillsPerTransaction: 100 };
  const pool = loaded.openPool();
  const { state } = await openIngest(pool);
  await pool.query("drop schema if exists bulk_load cascade");
  await loadArchive(await connectClient(loaded.databaseUrl), small);
  const expected = await state();
  expect(expected.entries.length).toBeGreaterThan(200);

  let kills = 0;
  for (let statement = sized({ short: 3, full: 1 }); ; statement += sized({ short: 23, full: 1 })) {
    await openIngest(pool);
    await pool.query("drop schema if exists bulk_load cascade");
    const victim = await connectClient(loaded.databaseUrl);
    const isKilled = await loadArchive(killedAt(victim, statement), small).then(
      () => false,
      () => true,
    );
    if (!isKilled) break;
    kills += 1;
    await untilGone(pool);
    await loadArchive(await connectClient(loaded.databaseUrl), small);
    expect(await state()).toEqual(expected);
  }
  expect(kills).toBeGreaterThan(4);
});

test("a file that is added to an interrupted load is loaded whole", async () => {
  const trades = tradesOf(300, 3);
  const directory = aDirectory();
  const [newer, older] = splitTrades(trades);
  const path = { newer: join(directory, "a.csv"), older: join(directory, "b.csv") };
  const small = { ...settings(directory), fillsPerTransaction: 50 };
  const pool = loaded.openPool();
  const { state } = await openIngest(pool);
  await pool.query("drop schema if exists bulk_load cascade");
  writeTrades(path.newer, newer);
  writeTrades(path.older, older);
  await loadArchive(await connectClient(loaded.databaseUrl), small);
  const expected = await state();

  await openIngest(pool);
  await pool.query("drop schema if exists bulk_load cascade");
  rmSync(path.older);
  // After the first range of traders.
  const stop = () => {
    throw new Error("stopped");
  };
  await expect(loadArchive(await connectClient(loaded.databaseUrl), { ...small, onProgress: stop })).rejects.toThrow(
    "stopped",
  );
  writeTrades(path.older, older);
  await loadArchive(await connectClient(loaded.databaseUrl), small);
  expect(await state()).toEqual(expected);
});

test("an interrupted load does not continue without one of its files", async () => {
  const trades = tradesOf(300, 3);
  const directory = aDirectory();
  const [newer, older] = splitTrades(trades);
  writeTrades(join(directory, "a.csv"), newer);
  writeTrades(join(directory, "b.csv"), older);
  const small = { ...settings(directory), fillsPerTransaction: 50 };
  const pool = loaded.openPool();
  await openIngest(pool);
  await pool.query("drop schema if exists bulk_load cascade");
  const stop = () => {
    throw new Error("stopped");
  };
  await expect(loadArchive(await connectClient(loaded.databaseUrl), { ...small, onProgress: stop })).rejects.toThrow(
    "stopped",
  );
  rmSync(join(directory, "b.csv"));
  await expect(loadArchive(await connectClient(loaded.databaseUrl), small)).rejects.toThrow("b.csv is missing");
});

test("a load that builds the indexes of an empty database afterwards ends in the same state, also when it is killed", async () => {
  const trades = tradesOf(300, 3);
  const directory = aDirectory();
  writeTrades(join(directory, "a.csv"), trades);
  const small = { ...settings(directory), fillsPerTransaction: 100 };
  const rebuilding = { ...small, rebuildIndexesFrom: 0 };
  const pool = loaded.openPool();
  const indexes = async () => {
    const { rows } = await pool.query(
      `select indexdef from pg_indexes where tablename in ('ledger_entries', 'positions') order by indexname`,
    );
    return rows;
  };
  const { state } = await openIngest(pool);
  await pool.query("drop schema if exists bulk_load cascade");
  const before = await indexes();
  expect(before).toHaveLength(10);
  await loadArchive(await connectClient(loaded.databaseUrl), small);
  const expected = await state();

  await openIngest(pool);
  await pool.query("drop schema if exists bulk_load cascade");
  await loadArchive(await connectClient(loaded.databaseUrl), rebuilding);
  expect(await state()).toEqual(expected);
  expect(await indexes()).toEqual(before);
  // After the indexes are dropped, between ranges, and while they are created.
  for (const statement of [47, 62, 77]) {
    await openIngest(pool);
    await pool.query("drop schema if exists bulk_load cascade");
    await expect(
      loadArchive(killedAt(await connectClient(loaded.databaseUrl), statement), rebuilding),
    ).rejects.toThrow();
    await untilGone(pool);
    expect(await indexes()).toEqual(before);
    await loadArchive(await connectClient(loaded.databaseUrl), rebuilding);
    expect(await state()).toEqual(expected);
    expect(await indexes()).toEqual(before);
  }
});

async function valuesOf(pool: Pool): Promise<readonly { readonly value_micro: string | null }[]> {
  const { rows } = await pool.query<{ address: string; token_id: string; value_micro: string | null }>(
    `select t.address, o.token_id, p.value_micro from positions p join traders t on t.id = p.trader_id
     join outcomes o on o.id = p.outcome_id order by t.address, o.token_id`,
  );
  return rows;
}

/** A client whose connection breaks at its n-th statement. */
function killedAt(client: pg.Client, statement: number): pg.Client {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  let sent = 0;
  const counting = (...values: unknown[]): unknown => {
    sent += 1;
    if (sent === statement) Reflect.get(client, "connection").stream.destroy();
    return query(...values);
  };
  return Object.assign(client, { query: counting });
}

/** Until no load holds the lock: Postgres notices a broken connection at its next read. */
async function untilGone(pool: Pool): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    const { rows } = await pool.query("select from pg_locks where locktype = 'advisory' and objid = 7201442");
    if (rows.length === 0) return;
  }
  throw new Error("the lock of the killed load remains");
}
