import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { loadArchive, type LoadSettings } from "../../../../scripts/load/load-archive.ts";
import { sessionOf } from "../../../../src/db/client.ts";
import type { ArchiveRow } from "../../../../src/domain/proofs/archive-datasets.ts";
import { encodeParquet } from "../../../../src/ingest/archive/encode-parquet.ts";
import { FeedState, findCheckpoint } from "../../../../src/ingest/feeds/checkpoints.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { conditionOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aDirectory, writeLines } from "../../../support/load/archive-files.ts";

const NOW = Date.UTC(2025, 9, 20);
const SECOND = Date.UTC(2025, 9, 9) / 1000;
const EXCHANGE = "0xE111180000d2663C0091e4f400237545B87B996B";
const TX = `0x${"ab".repeat(32)}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** An empty database, and loads of a directory into it. */
async function openLoads() {
  const pool = database.openPool();
  await pool.query("drop schema if exists bulk_load cascade");
  const { state } = await openIngest(pool);
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const load = (directory: string, settings: Partial<LoadSettings> = {}) =>
    loadArchive(client, {
      directory,
      largeTradeMinUsd: 5_000,
      takers: false,
      fillsPerTransaction: 1_000,
      now: () => NOW,
      ...settings,
    });
  const watermark = async (feed: string) =>
    (await findCheckpoint(sessionOf(pool), feed, FeedState))?.watermarkMs ?? null;
  return { load, state, watermark };
}

const ORDERS =
  "timestamp,maker,makerAssetId,makerAmountFilled,taker,takerAssetId,takerAmountFilled,transactionHash,fee";
const MARKETS = ["condition_id,token1,token2", `${conditionOf(1)},${tokenOf(1, 0)},${tokenOf(1, 1)}`];

test("an order fill is a fill of its maker, with the market of its token", async () => {
  const { load, state, watermark } = await openLoads();
  const directory = aDirectory();
  const [yes, no] = [tokenOf(1, 0), tokenOf(1, 1)];
  writeLines(join(directory, "markets.csv"), MARKETS);
  writeLines(join(directory, "orders.csv"), [
    ORDERS,
    // The recorded order of the provider's reference: 37.5 dollars for 50 shares.
    `${SECOND},${walletOf(1)},0,37500000,${EXCHANGE},${yes},50000000,${TX},656250`,
    `${SECOND},${walletOf(2)},${yes},50000000,${walletOf(1)},0,37500000,${TX},1000`,
    `${SECOND},${walletOf(3)},0,1000000,${walletOf(1)},${no},3000000,${TX},0`,
    `${SECOND},${walletOf(3)},0,1000000,${walletOf(1)},123456789,3000000,${TX},0`,
  ]);
  expect(await load(directory)).toMatchObject({ fills: 3, added: 3, feeds: ["all", "takers"] });
  const { entries, quarantined } = await state();
  const common = { tx: TX.slice(2), condition_id: conditionOf(1), ordinal: 0 };
  expect(entries).toMatchObject([
    {
      ...common,
      address: walletOf(1),
      kind: "buy",
      usd_micro: "37500000",
      price: "0.75",
      role: "taker",
      fee_micro: null,
    },
    {
      ...common,
      address: walletOf(2),
      kind: "sell",
      usd_micro: "37500000",
      price: "0.75",
      role: null,
      fee_micro: "1000",
    },
    {
      ...common,
      address: walletOf(3),
      token_id: no,
      kind: "buy",
      usd_micro: "1000000",
      price: "0.3333333333",
      role: null,
    },
  ]);
  expect(quarantined).toMatchObject([{ feed: "load", record: { takerAssetId: "123456789" } }]);
  expect(await watermark("trades:all")).toBe(SECOND * 1000);
});

test("a file of the own archive has its ordinals, and leaves the feed of takers at its beginning", async () => {
  const { load, state, watermark } = await openLoads();
  const directory = aDirectory();
  const at = "2025-10-09T00:00:00.000000Z";
  const row = (id: number, ordinal: number): ArchiveRow => [
    at,
    String(id),
    at,
    TX,
    String(ordinal),
    walletOf(1),
    conditionOf(1),
    tokenOf(1, 0),
    "BUY",
    "3000000",
    "999999",
    "0.333333",
  ];
  writeFileSync(join(directory, "fills.parquet"), await encodeParquet("fills", [row(1, 0), row(2, 1)]));
  expect(await load(directory)).toMatchObject({ fills: 2, added: 2, feeds: ["all"] });
  const { entries, positions } = await state();
  const entry = {
    shares_micro: "3000000",
    usd_micro: "999999",
    price: "0.333333",
    traded_at: "2025-10-09T00:00:00.000Z",
  };
  expect(entries).toMatchObject([
    { ...entry, ordinal: 0 },
    { ...entry, ordinal: 1 },
  ]);
  expect(positions).toMatchObject([{ shares_micro: "6000000", cost_micro: "1999998", entry_count: 2 }]);
  expect(await watermark("trades:takers")).toBeNull();
});

const TRADES = "proxyWallet,side,asset,conditionId,size,price,timestamp,transactionHash";
const aTradeLine = (facts: { size?: string; price?: string; at?: string | number } = {}) =>
  [
    walletOf(1).toUpperCase().replace("0X", "0x"),
    "buy",
    tokenOf(1, 0),
    conditionOf(1),
    facts.size ?? "10000",
    facts.price ?? "0.5",
    facts.at ?? SECOND,
    TX,
  ].join(",");

test("with --takers a file of trades has large trades, and only the feed of takers continues from it", async () => {
  const { load, state, watermark } = await openLoads();
  const directory = aDirectory();
  writeLines(join(directory, "trades.csv"), [
    TRADES,
    aTradeLine(),
    aTradeLine({ size: "1e-7", at: "2025-10-09 00:00:05" }),
  ]);
  expect(await load(directory, { takers: true })).toMatchObject({ fills: 2, feeds: ["takers"] });
  const { entries, largeTrades } = await state();
  expect(entries).toMatchObject([
    { shares_micro: "0", traded_at: "2025-10-09T00:00:05.000Z", role: "taker" },
    { shares_micro: "10000000000", usd_micro: "5000000000", role: "taker" },
  ]);
  expect(largeTrades).toHaveLength(1);
  expect([await watermark("trades:takers"), await watermark("trades:all")]).toEqual([SECOND * 1000 + 5_000, null]);
});

test("a walk does not continue from fills that the provider no longer serves", async () => {
  const { load, watermark } = await openLoads();
  const directory = aDirectory();
  writeLines(join(directory, "trades.csv"), [TRADES, aTradeLine({ at: Date.UTC(2025, 7, 31, 23) / 1000 })]);
  expect(await load(directory)).toMatchObject({ added: 1, feeds: [] });
  expect(await watermark("trades:all")).toBeNull();
});

test.each([
  ["no known form", { "a.csv": ["wallet,amount", "1,2"] }, "has none of the forms"],
  ["no file of fills", { "a.txt": ["x"] }, "has no .parquet or .csv file of fills"],
  ["order fills without markets", { "a.csv": [ORDERS] }, "Add a file of markets"],
  [
    "too many unreadable rows",
    { "a.csv": [TRADES, ...Array.from({ length: 1_001 }, () => aTradeLine({ price: "1.5" }))] },
    "1001 rows that cannot be read",
  ],
])("a directory with %s is refused and stores nothing", async (_, files, message) => {
  const { load, state } = await openLoads();
  const directory = aDirectory();
  for (const [name, lines] of Object.entries(files)) writeLines(join(directory, name), lines);
  await expect(load(directory)).rejects.toThrow(message);
  expect((await state()).entries).toEqual([]);
});
