import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, onTestFinished, test } from "vitest";
import { readArchive } from "../../../../../scripts/study/archive/read-archive.ts";
import { BET_FIELDS, MAKER_FLAG, SALE_FLAG } from "../../../../../scripts/study/archive/streamed-data.ts";

const [A, B, C] = ["a", "b", "c"].map((letter) => `0x${letter.repeat(64)}`) as [string, string, string];
const wallet = (digit: number) => `0x${String(digit).repeat(40)}`;

async function aDirectory(files: Record<string, string | Uint8Array>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "study-archive-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  return dir;
}

async function read(files: Record<string, string | Uint8Array>) {
  const { data, dispose } = await readArchive(await aDirectory(files));
  const bets: number[][] = [];
  for (const batch of data.batches())
    for (let from = 0; from < batch.length; from += BET_FIELDS) bets.push([...batch.subarray(from, from + BET_FIELDS)]);
  dispose();
  return { data, bets };
}

const RESULTS = [
  "condition_id,payouts_ppm,resolved_at,recorded_at",
  `${A},"[0,1000000]",2026-01-05T00:00:00Z,2026-01-05T01:00:00Z`,
  `${A},"[1000000,0]",2026-01-05T00:00:00Z,2026-01-06T01:00:00Z`,
  `${B},"[500000,500000]",,2026-01-05T01:00:00Z`,
].join("\n");

test("fills of a CSV file become bets in the order of time, with the last recorded result of their market", async () => {
  const { data, bets } = await read({
    "results.csv": RESULTS,
    "fills.csv": [
      "traded_at,wallet,condition_id,outcome_index,side,price,shares,role",
      `2026-01-03T00:00:00Z,${wallet(2)},${A},1,SELL,0.7,50,`,
      `2026-01-02T00:00:00Z,${wallet(1)},${A},0,BUY,0.4,100,maker`,
      `2026-01-04T00:00:00Z,${wallet(1)},${C},0,BUY,0.4,100,taker`,
    ].join("\r\n"),
  });
  const day = Date.UTC(2026, 0, 2) / 1000;
  // The sale of 50 shares of outcome 1 at 0.7 is a purchase of outcome 0 at 0.3, which won.
  expect(bets.map((bet) => bet.map((value) => Number(value.toFixed(9))))).toEqual([
    [day, 1, 0, 0.4, 40, 1, 0 + MAKER_FLAG],
    [day + 86_400, 0, 0, 0.3, 15, 1, 0 + SALE_FLAG],
  ]);
  expect(data.betCount).toBe(3);
  expect([...data.settledAt]).toEqual([Date.UTC(2026, 0, 5) / 1000, Number.POSITIVE_INFINITY]);
  expect(data.lastAt).toBe(Date.UTC(2026, 0, 4) / 1000);
});

test("a Parquet file in the archive's form gets outcomes and events from a table of tokens", async () => {
  const at = (day: number) => BigInt(Date.UTC(2026, 0, day)) * 1000n + 250_000n;
  const column = (name: string, data: unknown[]) => ({ name, data, type: "STRING" as const });
  const fills = parquetWriteBuffer({
    columnData: [
      { name: "traded_at", data: [at(1), at(2)].map((micros) => new Date(Number(micros / 1000n))), type: "TIMESTAMP" },
      column("wallet", [wallet(1), wallet(2)]),
      column("condition_id", [A, B]),
      column("token_id", ["11", "22"]),
      column("side", ["BUY", "BUY"]),
      { name: "shares_micro", data: [10_000_000n, 20_000_000n], type: "INT64" },
      { name: "usd_micro", data: [4_000_000n, 5_000_000n], type: "INT64" },
      column("price", ["0.4", "0.25"]),
    ],
  });
  const tokens = `condition_id,token_id,outcome_index,event\n${A},11,0,"one, two"\n${A},12,1,"one, two"\n${B},22,1,"one, two"\n`;
  const { data, bets } = await read({
    "fills.parquet": new Uint8Array(fills),
    "tokens.csv.gz": gzipSync(tokens),
    "results.csv": RESULTS,
  });
  expect(
    bets.map(([, trader, market, price, usd, payout, flags]) => [trader, market, price, usd, payout, flags]),
  ).toEqual([
    [0, 0, 0.4, 4, 1, 0],
    [1, 1, 0.25, 5, 0.5, 1],
  ]);
  expect([...data.clusterOfMarket]).toEqual([0, 0]);
  expect(data.notes.join(" ")).toContain("1 markets have a payout without a time");
});

test("rows that cannot be read are counted and left out, and a result that was taken back is none", async () => {
  const { data, bets } = await read({
    "results.csv": `${RESULTS}\n${A},,,2026-01-07T01:00:00Z\n`,
    "fills.csv": [
      "timestamp,wallet,condition_id,token_id,side,usd,shares",
      `1767312000,${wallet(1)},${A},99,BUY,4,10`,
      `1767312000,${wallet(1)},${A},,BUY,40,10`,
      `1767312000,,${A},,BUY,4,10`,
    ].join("\n"),
    "tokens.csv": `condition_id,token_id,outcome_index\n${A},11,0\n`,
  });
  expect(bets).toEqual([]);
  expect(data.betCount).toBe(0);
  expect(data.notes.join(" ")).toContain("2 rows of fills have no time, wallet, market, side, price or size");
  expect(data.notes.join(" ")).toContain("1 fills have a token whose outcome no table states");
});

test("the archive's large trades are not counted beside its fills", async () => {
  const header = "traded_at,wallet,condition_id,outcome_index,side,price,shares";
  const row = `2026-01-02T00:00:00Z,${wallet(1)},${A},0,BUY,0.4,100`;
  const { data } = await read({
    "results.csv": RESULTS,
    "fills.csv": `${header}\n${row}\n`,
    "large_trades.csv": `${header},fill_id\n${row},7\n`,
  });
  expect(data.betCount).toBe(1);
});
