/** How a value is written: integers of 8, 4 and 2 bytes, an instant in ms since 1970, a day, a decimal, 64-bit words. */
export type BinaryType = "int8" | "int4" | "int2" | "instant" | "day" | "numeric" | "text" | "words";

type Value = bigint | number | string | readonly bigint[] | null;

const BUFFER_BYTES = 1 << 18;
/** No row of a load is longer: a few numbers and a hash. */
const MAX_ROW_BYTES = 2_048;

/** "PGCOPY\n\xff\r\n\0", no flags, no extension. */
const HEADER = Buffer.from("5047434f50590aff0d0a000000000000000000", "hex");
/** Milliseconds from 1970 to 2000, where Postgres counts from. */
const EPOCH_MS = 946_684_800_000;
const DAY_MS = 86_400_000;

/**
 * Encodes rows in the binary format of COPY, which Postgres reads at half the cost of text.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export class BinaryRows {
  readonly #types: readonly BinaryType[];
  #bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  #view = viewOf(this.#bytes);
  #at = HEADER.copy(this.#bytes);
  #full: Buffer[] = [];

  constructor(types: readonly BinaryType[]) {
    this.#types = types;
  }

  add(values: readonly Value[]): void {
    if (this.#at + MAX_ROW_BYTES > BUFFER_BYTES) this.#flush();
    this.#view.setInt16(this.#at, this.#types.length);
    this.#at += 2;
    for (let index = 0; index < this.#types.length; index++) this.#write(this.#types[index], values[index] ?? null);
  }

  /** The full buffers so far. */
  take(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** The rest, with the end of the format. */
  end(): Buffer[] {
    this.#view.setInt16(this.#at, -1);
    this.#at += 2;
    this.#flush();
    return this.take();
  }

  #flush(): void {
    this.#full.push(this.#bytes.subarray(0, this.#at));
    this.#bytes = Buffer.allocUnsafe(BUFFER_BYTES);
    this.#view = viewOf(this.#bytes);
    this.#at = 0;
  }

  #write(type: BinaryType | undefined, value: Value): void {
    const start = this.#at + 4;
    const length = value === null ? -1 : this.#writeValue(type, value, start);
    this.#view.setInt32(this.#at, length);
    this.#at = start + Math.max(0, length);
  }

  /** @returns the length in bytes */
  #writeValue(type: BinaryType | undefined, value: Exclude<Value, null>, at: number): number {
    switch (type) {
      case "int8":
        this.#view.setBigInt64(at, typeof value === "bigint" ? value : BigInt(String(value)));
        return 8;
      case "instant":
        this.#view.setBigInt64(at, BigInt(Math.round((Number(value) - EPOCH_MS) * 1_000)));
        return 8;
      case "int4":
        this.#view.setInt32(at, Number(value));
        return 4;
      case "day":
        this.#view.setInt32(at, (Date.parse(String(value)) - EPOCH_MS) / DAY_MS);
        return 4;
      case "int2":
        this.#view.setInt16(at, Number(value));
        return 2;
      case "numeric": {
        const bytes = numericBytes(String(value));
        return bytes.copy(this.#bytes, at);
      }
      case "words":
        if (!Array.isArray(value)) throw new TypeError("not a list of words");
        for (let word = 0; word < value.length; word++) this.#view.setBigInt64(at + 8 * word, value[word]);
        return 8 * value.length;
      default:
        return this.#bytes.write(String(value), at, "utf8");
    }
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Prices repeat: a market has at most some thousand ticks. */
const numericCache = new Map<string, Buffer>();
const MAX_CACHED = 20_000;

/** A decimal of at least 0 as Postgres' numeric: digits to base 10,000, the weight of the first, and the decimals shown. */
function numericBytes(text: string): Buffer {
  const cached = numericCache.get(text);
  if (cached !== undefined) return cached;
  const [whole = "", fraction = ""] = text.split(".");
  const digits = `${whole.padStart(Math.ceil(whole.length / 4) * 4, "0")}${fraction.padEnd(Math.ceil(fraction.length / 4) * 4, "0")}`;
  const groups = (digits.match(/\d{4}/g) ?? []).map(Number);
  const first = groups.findIndex((group) => group !== 0);
  const significant = first === -1 ? [] : groups.slice(first, groups.findLastIndex((group) => group !== 0) + 1);
  const weight = first === -1 ? 0 : Math.ceil(whole.length / 4) - 1 - first;
  const bytes = Buffer.alloc(8 + 2 * significant.length);
  bytes.writeInt16BE(significant.length, 0);
  bytes.writeInt16BE(weight, 2);
  bytes.writeInt16BE(fraction.length, 6);
  significant.forEach((group, index) => bytes.writeInt16BE(group, 8 + 2 * index));
  if (numericCache.size >= MAX_CACHED) numericCache.clear();
  numericCache.set(text, bytes);
  return bytes;
}
