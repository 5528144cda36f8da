import { parquetReadObjects } from "hyparquet";
import {
  ARCHIVE_DATASETS,
  type ArchiveColumn,
  type ArchiveDataset,
  type ArchiveDatasetName,
  type ArchiveRow,
} from "../../src/domain/proofs/archive-datasets.ts";
import { positionOf } from "../../src/ingest/archive/read-part.ts";

/**
 * Reads a file of the archive back, in the order of leaves, with every value in the text of its leaf.
 *
 * @throws Error for a file that lacks a column or has a value of another type
 */
export async function decodeParquet(name: ArchiveDatasetName, bytes: Uint8Array): Promise<ArchiveRow[]> {
  const { columns }: ArchiveDataset = ARCHIVE_DATASETS[name];
  const file = bytes.slice().buffer;
  const stored = await parquetReadObjects({
    file,
    columns: columns.map((column) => column.name),
    // The library's own conversion to a Date loses microseconds.
    parsers: { timestampFromMicroseconds: (value: bigint) => value },
  });
  const rows = stored.map((row) => columns.map((column) => cellOf(column, row[column.name])));
  return rows.toSorted(compareLeaves);
}

function compareLeaves(a: ArchiveRow, b: ArchiveRow): number {
  const [left, right] = [positionOf(a), positionOf(b)];
  if (left.at !== right.at) return left.at < right.at ? -1 : 1;
  return BigInt(left.id) < BigInt(right.id) ? -1 : 1;
}

function cellOf({ name, kind }: ArchiveColumn, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (kind === "text" && typeof value === "string") return value;
  if (kind === "float" && typeof value === "number") return String(value);
  if (kind === "integer" && typeof value === "bigint") return String(value);
  if (kind === "instant" && typeof value === "bigint") return instantOf(value);
  throw new Error(`${name} has a value of another type than ${kind}`);
}

/** @param micros since 1970 */
function instantOf(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(fraction).padStart(6, "0")}Z`;
}
