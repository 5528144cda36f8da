import { canonicalJson } from "../../domain/proofs/canonical-json.ts";
import type { ParquetColumn } from "../../lib/parquet/parquet-columns.ts";
import { ResumableParquet, type ParquetMetadata, type ParquetState } from "../../lib/parquet/resumable-parquet.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import type { FileRow } from "../sources/source.ts";

/** Consecutive rows of a file. */
export interface RowPage {
  /** Empty only on a last page. */
  readonly rows: readonly FileRow[];
  /** Rows of the file before this page. */
  readonly offset: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Turns the rows of a file into its bytes. Equal pages after equal states give equal bytes. */
export interface FileEncoder {
  /** @returns empty only for a page without rows */
  encode(page: RowPage): Uint8Array;
  /** The canonical text of a row: the content of its leaf in the file's Merkle tree. */
  leafOf(row: FileRow): string;
  /** What another encoder continues a Parquet file from; null for formats whose pages depend on nothing before. */
  readonly parquet: ParquetState | null;
}

/** A text format: `start`, each row in order, `end`. */
export interface TextFormat {
  readonly start: string;
  readonly end: string;
  row(row: FileRow, isFirst: boolean): string;
  leafOf(row: FileRow): string;
}

/** The leaf of a row that the file has with its own names and values. */
export const jsonLeaf = (row: FileRow): string => canonicalJson(row);

const encoder = new TextEncoder();

export const textEncoder = ({ start, end, row, leafOf }: TextFormat): FileEncoder => ({
  encode({ rows, offset, isFirst, isLast }) {
    const body = rows.map((one, index) => row(one, offset + index === 0)).join("");
    return encoder.encode(`${isFirst ? start : ""}${body}${isLast ? end : ""}`);
  },
  leafOf,
  parquet: null,
});

/**
 * One row group a page. Its rows have the leaves of an NDJSON file.
 *
 * @param state null to begin a file
 */
export async function openParquetEncoder(
  columns: readonly ParquetColumn[],
  metadata: ParquetMetadata,
  state: ParquetState | null,
): Promise<FileEncoder> {
  const file = await ResumableParquet.open(columns, metadata, state);
  return {
    encode({ rows, isLast }) {
      const cells = rows.map((row) => columns.map(({ name }) => cellOf(row[name] ?? null)));
      const group = file.rowGroup(cells);
      return isLast ? joinBytes([group, file.footer()]) : group;
    },
    leafOf: jsonLeaf,
    get parquet() {
      return file.state;
    },
  };
}

const cellOf = (value: string | number | null): string | null => (value === null ? null : String(value));

/** A row a line, and nothing else. */
export const NDJSON: TextFormat = { start: "", end: "", row: (row) => `${JSON.stringify(row)}\n`, leafOf: jsonLeaf };
