/** From 1970 to 2000, where Postgres counts from. */
const EPOCH_MICROS = 946_684_800_000_000;
const EPOCH_DAYS = 10_957;
/** Before a row's first value, and before each value. */
const COLUMN_COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

/**
 * Reads a row of COPY in its binary format, value by value in the order of the columns. An object of parsed texts takes several
 * times as long. A read fails where a value is null, unless its name says so, or has the length of another type.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
export class BinaryRow {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /** Where the next value begins. */
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves to the first value of the row at an offset. */
  moveTo(offset: number): void {
    this.#at = offset + COLUMN_COUNT_BYTES;
  }

  bigint(): bigint {
    return required(this.bigintOrNull());
  }

  bigintOrNull(): bigint | null {
    if (this.#isNull(8)) return null;
    const value = this.#view.getBigInt64(this.#at);
    this.#at += 8;
    return value;
  }

  /** A bigint below 2^53: a row id. */
  id(): number {
    return required(this.#wideOrNull());
  }

  int(): number {
    return required(this.intOrNull());
  }

  intOrNull(): number | null {
    if (this.#isNull(4)) return null;
    const value = this.#view.getInt32(this.#at);
    this.#at += 4;
    return value;
  }

  smallint(): number {
    if (this.#isNull(2)) throw new Error(NO_VALUE);
    const value = this.#view.getInt16(this.#at);
    this.#at += 2;
    return value;
  }

  boolean(): boolean {
    if (this.#isNull(1)) throw new Error(NO_VALUE);
    const value = this.#view.getUint8(this.#at);
    this.#at += 1;
    return value === 1;
  }

  /** A timestamptz, in milliseconds since 1970. */
  instant(): number {
    return required(this.instantOrNull());
  }

  instantOrNull(): number | null {
    const micros = this.#wideOrNull();
    return micros === null ? null : (micros + EPOCH_MICROS) / 1_000;
  }

  /** A date, in days since 1970-01-01. */
  day(): number {
    return this.int() + EPOCH_DAYS;
  }

  /** A text that is one of the words. @throws Error for another text that no word has the length and first letter of */
  word<Word extends string>(words: WordIndex<Word>): Word {
    const start = this.skip();
    const word = words.get(wordKey(this.#at - start, this.#view.getUint8(start)));
    if (word === undefined) throw new Error(`an unknown word: ${this.#bytes.toString("latin1", start, this.#at)}`);
    return word;
  }

  /** Skips a value. @returns its offset, for `bytesAt` */
  skip(): number {
    const length = this.#length();
    if (length < 0) throw new Error(NO_VALUE);
    const start = this.#at;
    this.#at += length;
    return start;
  }

  /** The value at an offset that `skip` returned, as one character a byte. */
  bytesAt(offset: number): string {
    return this.#bytes.toString("latin1", offset, offset + this.#view.getInt32(offset - LENGTH_BYTES));
  }

  /** An integer of 8 bytes as a number. */
  #wideOrNull(): number | null {
    if (this.#isNull(8)) return null;
    const value = this.#view.getInt32(this.#at) * 0x1_0000_0000 + this.#view.getUint32(this.#at + 4);
    this.#at += 8;
    return value;
  }

  #length(): number {
    const length = this.#view.getInt32(this.#at);
    this.#at += LENGTH_BYTES;
    return length;
  }

  #isNull(bytes: number): boolean {
    const length = this.#length();
    if (length === bytes) return false;
    if (length === -1) return true;
    throw new Error(`a value of ${length} bytes where ${bytes} are expected`);
  }
}

/** Words by length and first letter. */
export type WordIndex<Word extends string> = ReadonlyMap<number, Word>;

/** @throws Error when two words have the same length and first letter */
export function indexWords<Word extends string>(words: readonly Word[]): WordIndex<Word> {
  const index = new Map(words.map((word) => [wordKey(word.length, word.charCodeAt(0)), word]));
  if (index.size !== words.length) throw new Error("two words have the same length and first letter");
  return index;
}

const wordKey = (length: number, first: number): number => 256 * length + first;

const NO_VALUE = "a null where a value is expected";

function required<T>(value: T | null): T {
  if (value === null) throw new Error(NO_VALUE);
  return value;
}
