import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDuckDb } from "../../../../scripts/load/files/duckdb.ts";
import { columnsOf, listUnreadable, normalizeFile } from "../../../../scripts/load/files/normalize-file.ts";
import { conditionOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aDirectory, writeLines } from "../../../support/load/archive-files.ts";

const COLUMNS = "wallet,side,token_id,condition_id,size,price,timestamp,transaction_hash,title";
const aLine = (transaction: number, facts: { wallet?: string; title?: string; price?: string } = {}) =>
  [
    facts.wallet ?? walletOf(1),
    "BUY",
    tokenOf(1, 0),
    conditionOf(1),
    "2",
    facts.price ?? "0.5",
    1_760_000_000,
    `0x${transaction.toString(16).padStart(64, "0")}`,
    facts.title ?? "Title",
  ].join(",");

async function normalize(lines: readonly string[]) {
  const directory = aDirectory();
  const path = join(directory, "a.csv");
  writeLines(path, [COLUMNS, ...lines]);
  const duck = await openDuckDb(directory);
  onTestFinished(() => duck.close());
  return { duck, path, file: await normalizeFile(duck, path, await columnsOf(duck, path)) };
}

test("a title in quotes is read, also when no row before it has quotes", async () => {
  const lines = Array.from({ length: 25_000 }, (_, n) => aLine(n));
  const { duck, file } = await normalize([...lines, aLine(25_000, { title: '"Yes, ""now"""' })]);
  expect(file).toEqual({ form: "provider trades", fills: 25_001, unreadable: 0 });
  expect(await duck.rows("select title from raw where title <> 'Title'")).toEqual([{ title: 'Yes, "now"' }]);
});

test("equal rows of a transaction are numbered, and a stretch that is repeated counts once", async () => {
  const stretch = [aLine(1), aLine(1), aLine(2)];
  // Unreadable rows are as if they were not there.
  const { duck, path, file } = await normalize([
    ...stretch,
    aLine(3, { price: "2" }),
    ...stretch,
    aLine(3, { wallet: "0x12" }),
    aLine(2),
  ]);
  expect(file).toEqual({ form: "provider trades", fills: 4, unreadable: 2 });
  expect(
    await duck.rows("select row::int as row, ordinal::int as ordinal, is_repeat from ordinals order by row"),
  ).toEqual([
    { row: 0, ordinal: 0, is_repeat: false },
    { row: 1, ordinal: 1, is_repeat: false },
    { row: 2, ordinal: 0, is_repeat: false },
    { row: 3, ordinal: 0, is_repeat: true },
    { row: 4, ordinal: 1, is_repeat: true },
    { row: 5, ordinal: 0, is_repeat: true },
    // Next to the row before it, of the same transaction.
    { row: 6, ordinal: 1, is_repeat: false },
  ]);
  const unreadable = (await listUnreadable(duck, path, 9)).map(
    (record) => JSON.parse(record) as Record<string, string>,
  );
  expect(unreadable.map(({ price, wallet }) => [price, wallet])).toEqual([
    ["2", walletOf(1)],
    ["0.5", "0x12"],
  ]);
});
