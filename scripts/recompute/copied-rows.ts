import { BinaryRow } from "./binary-row.ts";

const SIGNATURE = "PGCOPY\n\xff\r\n\0";
/** The signature, the flags, and the length of an extension that does not exist. */
const HEADER_BYTES = 19;
/** The end of the rows: -1 instead of a number of columns. */
const TRAILER_BYTES = 2;
/** Before the first value: the number of columns and the value's length. */
const FIRST_VALUE = 6;
const INITIAL_BYTES = 1 << 16;

/**
 * The rows of a query in the binary format of COPY, by their first column, which is a row id. They stay bytes until they are
 * read: the garbage collection of many thousand objects takes longer than reading them. The memory is used again after `clear`.
 */
export class CopiedRows {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #size = 0;
  readonly #offsets = new Map<number, number[]>();

  clear(): void {
    this.#size = 0;
    this.#offsets.clear();
  }

  /** @param message of the server: the header with the first row, then each row alone, then the trailer */
  add(message: Buffer): void {
    const header = this.#size === 0 ? HEADER_BYTES : 0;
    if (header > 0 && message.toString("latin1", 0, SIGNATURE.length) !== SIGNATURE)
      throw new Error("the rows are not in binary format");
    const offset = this.#append(message) + header;
    if (message.length - header === TRAILER_BYTES) return;
    const value = offset + FIRST_VALUE;
    const id = this.#bytes.readUInt32BE(value) * 0x1_0000_0000 + this.#bytes.readUInt32BE(value + 4);
    const offsets = this.#offsets.get(id);
    if (offsets === undefined) this.#offsets.set(id, [offset]);
    else offsets.push(offset);
  }

  /** Reads rows at their offsets. Valid until rows are added. */
  reader(): BinaryRow {
    return new BinaryRow(this.#bytes);
  }

  ids(): Iterable<number> {
    return this.#offsets.keys();
  }

  /** Where the rows of an id begin, in the order of the query. */
  offsetsOf(id: number): readonly number[] {
    return this.#offsets.get(id) ?? NONE;
  }

  /** @returns where the message begins */
  #append(message: Buffer): number {
    const start = this.#size;
    this.#size += message.length;
    if (this.#size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#size);
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    message.copy(this.#bytes, start);
    return start;
  }
}

const NONE: readonly number[] = [];
