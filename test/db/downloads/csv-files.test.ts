import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { queryDuckDb } from "../../support/archive/duckdb.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aReadyFile } from "../../support/exports/ready-file.ts";
import { aFill } from "../../support/seed/fills.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";

/** Titles of markets, and how a cell of the file has them. */
const TITLES: readonly (readonly [title: string | null, cell: string])[] = [
  ["plain", "plain"],
  [null, ""],
  ["Zürich, 日本 🎾", "Zürich, 日本 🎾"],
  ['say "yes";\tno', 'say "yes";\tno'],
  ["two\r\nlines", "two\r\nlines"],
  ['=HYPERLINK("http://x.test")', '\'=HYPERLINK("http://x.test")'],
  ["+1 | @SUM(A1)", "'+1 | @SUM(A1)"],
  ["-2+3", "'-2+3"],
  ["-2.5", "-2.5"],
  ["@mention", "'@mention"],
  ["\t=1", "'\t=1"],
  ["＝1+1", "'＝1+1"],
];

test("another reader of CSV gets every value, dates as timestamps, and no cell that a spreadsheet runs", async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const trader = await aSeededTrader(db);
  for (const [n, [title]] of TITLES.entries())
    await aFill(db, {
      trader,
      market: await aMarket(db, { title }),
      at: `2026-11-20T12:00:${10 + n}.987Z`,
      shares: 10.5,
    });
  const { content } = await aReadyFile(database, { traderId: trader.id, format: "csv" });
  expect([...content.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const dir = mkdtempSync(join(tmpdir(), "csv-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, "file.csv");
  writeFileSync(file, content);
  const texts = await queryDuckDb(`select * from read_csv('${file}', header = true, all_varchar = true, quote = '"',
    escape = '"', delim = ',', strict_mode = true)`);
  expect(texts.map((row) => row["market_title"] ?? "")).toEqual(TITLES.map(([, cell]) => cell));
  for (const row of texts)
    for (const cell of Object.values(row)) expect(cell ?? "").not.toMatch(/^([=+@\t\r\n＝＋－＠]|-(?!\d+(\.\d+)?$))/);
  // The reader finds the types by itself.
  const typed = await queryDuckDb(`select typeof(traded_at_utc) as at, typeof(shares) as shares, shares as n,
    epoch_ms(traded_at_utc) as ms from read_csv('${file}', header = true, quote = '"', escape = '"') limit 1`);
  expect(typed).toEqual([
    { at: "TIMESTAMP", shares: "DOUBLE", n: 10.5, ms: String(Date.parse("2026-11-20T12:00:10Z")) },
  ]);
});
