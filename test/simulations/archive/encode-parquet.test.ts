import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ArchiveRow } from "../../../src/domain/proofs/archive-datasets.ts";
import { encodeParquet } from "../../../src/ingest/archive/encode-parquet.ts";
import { PARQUET_WRITER } from "../../../src/lib/parquet/parquet-columns.ts";
import { queryDuckDb } from "../../support/archive/duckdb.ts";

const wallet = (n: number) => `0x${String(n).padStart(40, "0")}`;
const market = (n: number) => `0x${String(n).padStart(64, "0")}`;

/** A fill of one of 50 wallets in one of 20 markets, with amounts beyond the exact floats. */
const aFill = (n: number): ArchiveRow => [
  `2026-11-22T10:00:00.${String(n).padStart(6, "0")}Z`,
  String(n),
  "2026-11-21T23:59:59.000000Z",
  `0x${"ab".repeat(32)}`,
  "0",
  wallet((n * 7) % 50),
  market(n % 20),
  "9".repeat(78),
  n % 2 === 0 ? "BUY" : "SELL",
  String(9_007_199_254_740_993n + BigInt(n)),
  String(n),
  "0.123456789",
];

async function aFile(name: Parameters<typeof encodeParquet>[0], rows: readonly ArchiveRow[]): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "parquet-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, "part.parquet");
  writeFileSync(file, await encodeParquet(name, rows));
  return file;
}

const FILLS = Array.from({ length: 20_000 }, (_, n) => aFill(n));

test("DuckDB reads every value of a file exactly", async () => {
  const file = await aFile("fills", FILLS);
  const [totals] = await queryDuckDb(`select count(*) as rows, count(distinct id) as ids, sum(shares_micro) as shares,
    sum(usd_micro) as usd, count(distinct wallet) as wallets from '${file}'`);
  const shares = FILLS.reduce((sum, row) => sum + BigInt(row[9] ?? 0), 0n);
  expect(totals).toEqual({ rows: "20000", ids: "20000", shares: String(shares), usd: "199990000", wallets: "50" });
  const [one] = await queryDuckDb(`select id, epoch_us(recorded_at) as recorded, epoch_us(traded_at) as traded, tx_hash,
    wallet, condition_id, token_id, side, shares_micro, price from '${file}' where id = 12345`);
  expect(one).toEqual({
    ...{ id: "12345", recorded: `${Date.parse("2026-11-22T10:00:00Z") / 1000}012345` },
    ...{ traded: `${Date.parse("2026-11-21T23:59:59Z")}000`, tx_hash: `0x${"ab".repeat(32)}` },
    ...{ wallet: wallet(15), condition_id: market(5), token_id: "9".repeat(78), side: "SELL" },
    ...{ shares_micro: "9007199254753338", price: "0.123456789" },
  });
});

test("a wallet's rows are in the row groups that its statistics name, and lookups have bloom filters", async () => {
  const file = await aFile("fills", FILLS);
  const groups = await queryDuckDb(`select path_in_schema as name, stats_min_value as low, stats_max_value as high,
    bloom_filter_length as bloom from parquet_metadata('${file}')`);
  const wallets = groups.filter(({ name }) => name === "wallet");
  expect(wallets).toHaveLength(3);
  const holding = wallets.filter(({ low, high }) => low <= wallet(3) && wallet(3) <= high);
  expect(holding).toHaveLength(1);
  const withBloom = groups.filter(({ bloom }) => bloom !== null).map(({ name }) => name);
  expect([...new Set(withBloom)]).toEqual(["wallet", "condition_id", "token_id"]);
});

test("unknown values are null, and a float is the same number", async () => {
  const grade = (id: string, letter: string | null, score: string | null): ArchiveRow => [
    ...["2026-11-22T10:00:00.000000Z", id, wallet(1), "2026-11-22T09:00:00.123000Z", "v1"],
    ...[letter, score, letter === null ? "too_few_bets" : null, "h"],
  ];
  const file = await aFile("grade_changes", [grade("1", "A", "83.12345678901234"), grade("2", null, null)]);
  expect(await queryDuckDb(`select id, grade, score, ungraded_reason from '${file}' order by id`)).toEqual([
    { id: "1", grade: "A", score: 83.12345678901234, ungraded_reason: null },
    { id: "2", grade: null, score: null, ungraded_reason: "too_few_bets" },
  ]);
});

test("the same rows give the same bytes", async () => {
  expect(await encodeParquet("fills", FILLS.slice(0, 300))).toEqual(await encodeParquet("fills", FILLS.slice(0, 300)));
});

test("a null in a required column and a number that is none are refused", async () => {
  const [row = []] = FILLS;
  await expect(encodeParquet("fills", [row.with(5, null)])).rejects.toThrow("wallet is null");
  await expect(encodeParquet("fills", [row.with(9, "1.5")])).rejects.toThrow("1.5 is not an integer");
  await expect(encodeParquet("fills", [row.with(2, "yesterday")])).rejects.toThrow("yesterday is not an instant");
});

test("files name the installed version of their writer", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(PARQUET_WRITER).toBe(`hyparquet-writer ${dependencies["hyparquet-writer"]}`);
});
