import type { ColumnSource, SchemaElement } from "hyparquet-writer";
import {
  ARCHIVE_DATASETS,
  type ArchiveColumn,
  type ArchiveDataset,
  type ArchiveDatasetName,
  type ArchiveRow,
} from "../../domain/proofs/archive-datasets.ts";

/**
 * The library that writes the files, with the version of package.json; a unit test compares them. The same
 * rows give the same bytes with the same version.
 */
export const PARQUET_WRITER = "hyparquet-writer 0.17.0";

/** Rows of one row group: the least that a reader fetches of a column. */
const GROUP_ROWS = 8_192;

/**
 * Writes rows of a dataset as one Parquet file, sorted by the dataset's columns, then in the given order. Row
 * groups have statistics, and bloom filters for the columns that rows are looked up by.
 *
 * @param rows one or more
 * @throws RangeError for an integer or an instant in another form than the dataset's
 */
export async function encodeParquet(
  name: ArchiveDatasetName,
  rows: readonly ArchiveRow[],
): Promise<Uint8Array<ArrayBuffer>> {
  // Only the job that archives needs it.
  const { ByteWriter, parquetWrite } = await import("hyparquet-writer");
  const { columns, sortedBy }: ArchiveDataset = ARCHIVE_DATASETS[name];
  const keys = sortedBy.map((key) => columns.findIndex((column) => column.name === key));
  const sorted = rows.toSorted((a, b) => compareBy(keys, a, b));
  const writer = new ByteWriter();
  await parquetWrite({
    writer,
    schema: [{ name: "root", num_children: columns.length }, ...columns.map(schemaOf)],
    columnData: columns.map((column, index) => sourceOf(column, sorted, index)),
    rowGroupSize: GROUP_ROWS,
    // Whole values: addresses and ids share their first characters.
    statisticsTruncateLength: Infinity,
    createdBy: PARQUET_WRITER,
  });
  return new Uint8Array(writer.getBuffer());
}

function compareBy(keys: readonly number[], a: ArchiveRow, b: ArchiveRow): number {
  for (const key of keys) {
    const [left, right] = [a[key] ?? "", b[key] ?? ""];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function schemaOf({ name, kind, isNullable }: ArchiveColumn): SchemaElement {
  const repetition_type = isNullable === true ? "OPTIONAL" : "REQUIRED";
  switch (kind) {
    case "integer":
      return { name, type: "INT64", repetition_type };
    case "instant":
      return {
        ...{ name, type: "INT64", repetition_type, converted_type: "TIMESTAMP_MICROS" },
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
      };
    case "float":
      return { name, type: "DOUBLE", repetition_type };
    case "text":
      return { name, type: "BYTE_ARRAY", repetition_type, converted_type: "UTF8", logical_type: { type: "STRING" } };
  }
}

function sourceOf({ name, kind, isNullable, isLookedUp }: ArchiveColumn, rows: readonly ArchiveRow[], index: number) {
  const data = rows.map((row) => {
    const cell = row[index] ?? null;
    if (cell === null && isNullable !== true) throw new RangeError(`${name} is null`);
    return cell === null ? null : CONVERT[kind](cell);
  });
  return { name, data, bloomFilter: isLookedUp === true } satisfies ColumnSource;
}

const CONVERT: Readonly<Record<ArchiveColumn["kind"], (cell: string) => string | bigint | number>> = {
  text: (cell) => cell,
  integer: toBigInt,
  instant: toMicroseconds,
  float: Number,
};

function toBigInt(cell: string): bigint {
  if (!/^-?\d+$/.test(cell)) throw new RangeError(`${cell} is not an integer`);
  return BigInt(cell);
}

/** Microseconds since the epoch. */
function toMicroseconds(cell: string): bigint {
  const [, seconds, fraction] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/.exec(cell) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (fraction === undefined || Number.isNaN(ms)) throw new RangeError(`${cell} is not an instant`);
  return BigInt(ms) * 1000n + BigInt(fraction);
}
