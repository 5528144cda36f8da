import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { columnSource, PARQUET_WRITER, parquetSchema, type ParquetColumn } from "./parquet-columns.ts";

/** The state of a Parquet file between two row groups, as plain JSON. */
export interface ParquetState {
  /** Bytes returned so far. */
  readonly offset: number;
  /** What the footer says of each row group: JSON text, with big integers as `{"bigint":"1"}`. */
  readonly rowGroups: string[];
}

/** What the footer says of the file, by name. */
export type ParquetMetadata = Readonly<Record<string, string>>;

type RowGroup = ParquetWriter["row_groups"][number];

/**
 * One Parquet file that is written row group by row group, and continued in another process from its state. Row
 * groups have statistics. Only the footer depends on earlier row groups, and only on their descriptions: page
 * indexes and bloom filters, which the library writes behind the last row group, are left out.
 */
export class ResumableParquet {
  readonly #columns: readonly ParquetColumn[];
  readonly #file: ParquetWriter;
  readonly #bytes: ByteWriter;
  /** Texts of the row groups that are described already. */
  readonly #described: string[];

  private constructor(columns: readonly ParquetColumn[], file: ParquetWriter, bytes: ByteWriter, described: string[]) {
    this.#columns = columns;
    this.#file = file;
    this.#bytes = bytes;
    this.#described = described;
  }

  /** @param state null to begin a file */
  static async open(
    columns: readonly ParquetColumn[],
    metadata: ParquetMetadata,
    state: ParquetState | null,
  ): Promise<ResumableParquet> {
    // Only consumers that write Parquet need it.
    const library = await import("hyparquet-writer");
    const bytes = new library.ByteWriter();
    const file = new library.ParquetWriter({
      writer: bytes,
      schema: parquetSchema(columns),
      // Whole values: addresses and ids share their first characters.
      statisticsTruncateLength: Infinity,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: PARQUET_WRITER,
    });
    if (state !== null && state.offset > 0) {
      // The writer has begun a file of its own. Offsets in the footer count from the start of the stored one.
      bytes.index = 0;
      bytes.offset = state.offset;
      file.row_groups = state.rowGroups.map(parseGroup);
      file.num_rows = file.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
    }
    return new ResumableParquet(columns, file, bytes, [...(state?.rowGroups ?? [])]);
  }

  get state(): ParquetState {
    const added = this.#file.row_groups.slice(this.#described.length).map(describeGroup);
    this.#described.push(...added);
    // Without the start of the file while the first row group has not taken it.
    return { offset: this.#bytes.offset - this.#bytes.index, rowGroups: [...this.#described] };
  }

  /**
   * Writes one row group.
   *
   * @param rows cells in the order of the columns; nothing is written for none
   * @returns its bytes, with the start of the file before the first one
   * @throws RangeError for a cell that its column cannot have
   */
  rowGroup(rows: readonly (readonly (string | null)[])[]): Uint8Array {
    if (rows.length === 0) return new Uint8Array(0);
    const columnData = this.#columns.map((column, index) => ({
      ...columnSource(
        column,
        rows.map((row) => row[index] ?? null),
      ),
      offsetIndex: false,
      bloomFilter: false,
    }));
    // The writer has no flush, so that this ends synchronously.
    void this.#file.write({ columnData, rowGroupSize: rows.length });
    return this.#take();
  }

  /** The last bytes of the file. */
  footer(): Uint8Array {
    void this.#file.finish();
    return this.#take();
  }

  #take(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.getBuffer());
    this.#bytes.index = 0;
    return bytes;
  }
}

const describeGroup = (group: RowGroup): string =>
  JSON.stringify(group, (_, value: unknown) => (typeof value === "bigint" ? { bigint: String(value) } : value));

// The text is the one that `describeGroup` gave; its type is the library's.
const parseGroup = (text: string): RowGroup =>
  JSON.parse(text, (_, value: unknown) => (isBigInt(value) ? BigInt(value.bigint) : value)) as RowGroup;

const isBigInt = (value: unknown): value is { bigint: string } =>
  typeof value === "object" && value !== null && "bigint" in value;
