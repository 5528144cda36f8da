import type { ColumnSource, SchemaElement } from "hyparquet-writer";

/**
 * The library that writes the files, with the version of package.json; a unit test compares them. The same
 * rows give the same bytes with the same version.
 */
export const PARQUET_WRITER = "hyparquet-writer 0.17.0";

/**
 * How the text of a cell is stored: `integer` of digits as INT64, `instant` such as `2026-11-22T10:00:00.000Z`, with
 * three or six decimals, as microseconds, `float` as DOUBLE, `micro` with exactly six decimals as DECIMAL(18, 6),
 * `text` as it is.
 */
export type ParquetKind = "integer" | "instant" | "float" | "micro" | "text";

export interface ParquetColumn {
  readonly name: string;
  readonly kind: ParquetKind;
  readonly isNullable?: true;
  /** Readers look rows up by it: the file has bloom filters for it. */
  readonly isLookedUp?: true;
}

export const parquetSchema = (columns: readonly ParquetColumn[]): SchemaElement[] => [
  { name: "root", num_children: columns.length },
  ...columns.map(schemaOf),
];

function schemaOf({ name, kind, isNullable }: ParquetColumn): SchemaElement {
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
    case "micro":
      return { name, type: "INT64", repetition_type, converted_type: "DECIMAL", scale: 6, precision: 18 };
    case "text":
      return { name, type: "BYTE_ARRAY", repetition_type, converted_type: "UTF8", logical_type: { type: "STRING" } };
  }
}

/**
 * The data of a column.
 *
 * @param cells one for each row
 * @throws RangeError for null in a required column, and for a cell in another form than its kind's
 */
export function columnSource(
  { name, kind, isNullable, isLookedUp }: ParquetColumn,
  cells: readonly (string | null)[],
): ColumnSource {
  const data = cells.map((cell) => {
    if (cell === null && isNullable !== true) throw new RangeError(`${name} is null`);
    return cell === null ? null : CONVERT[kind](cell);
  });
  return { name, data, bloomFilter: isLookedUp === true };
}

const CONVERT: Readonly<Record<ParquetKind, (cell: string) => string | bigint | number>> = {
  text: (cell) => cell,
  integer: toBigInt,
  instant: toMicroseconds,
  float: Number,
  micro: toMillionths,
};

function toBigInt(cell: string): bigint {
  if (!/^-?\d+$/.test(cell)) throw new RangeError(`${cell} is not an integer`);
  return BigInt(cell);
}

function toMillionths(cell: string): bigint {
  if (!/^-?\d+\.\d{6}$/.test(cell)) throw new RangeError(`${cell} has not six decimals`);
  return BigInt(cell.replace(".", ""));
}

/** Microseconds since the epoch. */
function toMicroseconds(cell: string): bigint {
  const [, seconds, fraction] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3}|\d{6})Z$/.exec(cell) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (fraction === undefined || Number.isNaN(ms)) throw new RangeError(`${cell} is not an instant`);
  return BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, "0"));
}
