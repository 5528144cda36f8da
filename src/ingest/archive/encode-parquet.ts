import {
  ARCHIVE_DATASETS,
  type ArchiveDataset,
  type ArchiveDatasetName,
  type ArchiveRow,
} from "../../domain/proofs/archive-datasets.ts";
import { columnSource, PARQUET_WRITER, parquetSchema } from "../../lib/parquet/parquet-columns.ts";

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
    schema: parquetSchema(columns),
    columnData: columns.map((column, index) =>
      columnSource(
        column,
        sorted.map((row) => row[index] ?? null),
      ),
    ),
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
