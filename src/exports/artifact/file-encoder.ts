import type { ParquetColumn } from "../../lib/parquet/parquet-columns.ts";
import { ResumableParquet, type ParquetMetadata, type ParquetState } from "../../lib/parquet/resumable-parquet.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import type { FileRow } from "../sources/source.ts";
import { jsonRows } from "./json-rows.ts";

/** Consecutive rows of a file. */
export interface RowPage {
  /** Empty only on a last page. */
  readonly rows: readonly FileRow[];
  /** Rows of the file before this page. */
  readonly offset: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The bytes of a page, and what its rows are in the file's Merkle tree. */
export interface EncodedPage {
  /** Empty only for a page without rows. */
  readonly bytes: Uint8Array;
  /** The canonical text of each row: the content of its leaf. */
  readonly leaves: readonly string[];
}

/** Turns the rows of a file into its bytes. Equal pages after equal states give equal bytes. */
export interface FileEncoder {
  encode(page: RowPage): EncodedPage;
  /** What another encoder continues a Parquet file from; null for formats whose pages depend on nothing before. */
  readonly parquet: ParquetState | null;
}

/** The text of a row in its file, and the canonical text of its leaf. */
export interface RowTexts {
  readonly text: string;
  readonly leaf: string;
}

/** A text format: `start`, each row in order, `end`. */
export interface TextFormat {
  readonly start: string;
  readonly end: string;
  row(row: FileRow, isFirst: boolean): RowTexts;
}

const encoder = new TextEncoder();

export const textEncoder = ({ start, end, row }: TextFormat): FileEncoder => ({
  encode({ rows, offset, isFirst, isLast }) {
    const texts = rows.map((one, index) => row(one, offset + index === 0));
    const body = texts.map(({ text }) => text).join("");
    return {
      bytes: encoder.encode(`${isFirst ? start : ""}${body}${isLast ? end : ""}`),
      leaves: texts.map(({ leaf }) => leaf),
    };
  },
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
  const json = jsonRows(columns.map(({ name }) => name));
  return {
    encode({ rows, isLast }) {
      const cells = rows.map((row) => columns.map(({ name }) => cellOf(row[name] ?? null)));
      const group = file.rowGroup(cells);
      return {
        bytes: isLast ? joinBytes([group, file.footer()]) : group,
        leaves: rows.map((row) => json(row).leaf),
      };
    },
    get parquet() {
      return file.state;
    },
  };
}

const cellOf = (value: string | number | null): string | null => (value === null ? null : String(value));

/** A row a line, and nothing else. */
export function ndjson(columns: readonly ParquetColumn[]): TextFormat {
  const json = jsonRows(columns.map(({ name }) => name));
  return {
    start: "",
    end: "",
    row: (row) => {
      const { text, leaf } = json(row);
      return { text: `${text}\n`, leaf };
    },
  };
}
