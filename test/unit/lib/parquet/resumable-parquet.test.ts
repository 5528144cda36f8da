import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ByteWriter, parquetWrite } from "hyparquet-writer";
import { expect, onTestFinished, test } from "vitest";
import { parquetSchema, PARQUET_WRITER, type ParquetColumn } from "../../../../src/lib/parquet/parquet-columns.ts";
import { ResumableParquet } from "../../../../src/lib/parquet/resumable-parquet.ts";
import { queryDuckDb } from "../../../support/archive/duckdb.ts";

const COLUMNS: readonly ParquetColumn[] = [
  { name: "id", kind: "text" },
  { name: "number", kind: "integer" },
  { name: "at", kind: "instant" },
  { name: "amount", kind: "micro" },
  { name: "title", kind: "text", isNullable: true },
  { name: "side", kind: "integer", isNullable: true },
];
const METADATA = { schema_version: "v1", envelope: '{"name":"Zürich"}' };

/** Titles are null in whole row groups, too. */
const aRow = (n: number): (string | null)[] => [
  `pe_${n}`,
  String(9_007_199_254_740_993n + BigInt(n)),
  `2026-11-20T12:00:00.${String(n).padStart(3, "0")}Z`,
  `${n % 2 === 0 ? "" : "-"}${n}.0${String(n).padStart(5, "0")}`,
  n >= 14 && n < 21 ? null : `title ${n}, "日本"\n`,
  n % 3 === 0 ? null : String(n % 2),
];

const GROUP = 7;
const ROWS = Array.from({ length: 60 }, (_, n) => aRow(n));
const GROUPS = Array.from({ length: Math.ceil(ROWS.length / GROUP) }, (_, n) => ROWS.slice(n * GROUP, (n + 1) * GROUP));

/** Writes the row groups; before each of the given ones a new writer continues from the stored state. */
async function write(stopsBefore: readonly number[], groups = GROUPS): Promise<Buffer> {
  let file = await ResumableParquet.open(COLUMNS, METADATA, null);
  const pieces: Uint8Array[] = [];
  for (const [n, rows] of groups.entries()) {
    if (stopsBefore.includes(n))
      file = await ResumableParquet.open(COLUMNS, METADATA, JSON.parse(JSON.stringify(file.state)));
    pieces.push(file.rowGroup(rows));
  }
  if (stopsBefore.includes(groups.length))
    file = await ResumableParquet.open(COLUMNS, METADATA, JSON.parse(JSON.stringify(file.state)));
  return Buffer.concat([...pieces, file.footer()]);
}

async function query(bytes: Uint8Array, select: (file: string) => string) {
  const dir = mkdtempSync(join(tmpdir(), "parquet-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, "file.parquet");
  writeFileSync(file, bytes);
  return queryDuckDb(select(`'${file}'`));
}

test("a file is byte for byte what the library writes at once", async () => {
  const writer = new ByteWriter();
  const cells = (index: number, convert: (cell: string) => unknown) =>
    ROWS.map((row) => (row[index] == null ? null : convert(row[index])));
  const columns: [name: string, data: unknown[]][] = [
    ["id", cells(0, String)],
    ["number", cells(1, BigInt)],
    ["at", cells(2, (text) => BigInt(Date.parse(text)) * 1000n)],
    ["amount", cells(3, (text) => BigInt(Math.round(Number(text) * 1e6)))],
    ["title", cells(4, String)],
    ["side", cells(5, BigInt)],
  ];
  await parquetWrite({
    writer,
    schema: parquetSchema(COLUMNS),
    columnData: columns.map(([name, data]) => ({ name, data, offsetIndex: false })),
    rowGroupSize: GROUP,
    statisticsTruncateLength: Infinity,
    kvMetadata: Object.entries(METADATA).map(([key, value]) => ({ key, value })),
    createdBy: PARQUET_WRITER,
  });
  expect(await write([])).toEqual(Buffer.from(writer.getBuffer()));
});

test("a file that is continued at any row group has the same bytes", async () => {
  const whole = await write([]);
  const boundaries = Array.from({ length: GROUPS.length + 1 }, (_, n) => n);
  for (const boundary of boundaries) expect((await write([boundary])).equals(whole)).toBe(true);
  expect((await write(boundaries)).equals(whole)).toBe(true);
});

test("DuckDB reads every value of a continued file exactly", async () => {
  const rows = await query(
    await write([1, 2, 5, 9]),
    (
      file,
    ) => `select id, number::varchar as number, strftime(make_timestamp(epoch_us("at")), '%Y-%m-%dT%H:%M:%S.%gZ') as at,
      amount::varchar as amount, title, side::varchar as side from read_parquet(${file}, file_row_number = true)
      order by file_row_number`,
  );
  expect(rows).toEqual(
    ROWS.map(([id, number, at, amount, title, side]) => ({
      ...{ id, number, at, amount: amount?.replace(/^(-?)0+(?=\d)/, "$1"), title, side },
    })),
  );
});

test("the footer has the row groups with their statistics, and the metadata", async () => {
  const bytes = await write([3]);
  const groups = await query(
    bytes,
    (file) => `select row_group_id as n, row_group_num_rows as rows, stats_min_value as low, stats_max_value as high,
      stats_null_count as nulls from parquet_metadata(${file}) where path_in_schema = 'title' order by 1`,
  );
  expect(groups.map(({ rows }) => Number(rows))).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 4]);
  expect(groups[2]).toMatchObject({ low: null, high: null, nulls: "7" });
  expect(groups[8]).toMatchObject({ low: 'title 56, "日本"\n', high: 'title 59, "日本"\n', nulls: "0" });
  const metadata = await query(
    bytes,
    (file) => `select decode(key) as key, decode(value) as value from parquet_kv_metadata(${file})`,
  );
  expect(Object.fromEntries(metadata.map(({ key, value }) => [key, value]))).toEqual(METADATA);
  const totals = await query(bytes, (file) => `select sum(amount)::varchar as sum from ${file} where amount < -50`);
  // -51 - 53 - 55 - 57 - 59, with the same digits behind the point.
  expect(totals).toEqual([{ sum: "-275.000275" }]);
});

test("a file without rows has its columns", async () => {
  for (const bytes of [await write([], []), await write([0], [])])
    expect(await query(bytes, (file) => `select count(*) as rows, count(amount) as amounts from ${file}`)).toEqual([
      { rows: "0", amounts: "0" },
    ]);
});

test("a cell in another form than its column's is refused", async () => {
  const file = await ResumableParquet.open(COLUMNS, {}, null);
  const refuse = (index: number, cell: string | null) => () => file.rowGroup([aRow(1).with(index, cell)]);
  expect(refuse(0, null)).toThrow("id is null");
  expect(refuse(1, "1.5")).toThrow("1.5 is not an integer");
  expect(refuse(2, "2026-11-20T12:00:00.1Z")).toThrow("is not an instant");
  expect(refuse(3, "1.5")).toThrow("1.5 has not six decimals");
});
