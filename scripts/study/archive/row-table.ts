import { nth } from "../nth.ts";
import { ArrayPool } from "./array-pool.ts";

const EMPTY = -1;
const FIRST_ROWS = 8;

const numbers = new ArrayPool<Float64Array>((length) => new Float64Array(length), 0);
const slots = new ArrayPool<Int32Array>((length) => new Int32Array(length), EMPTY);

/** Rows of a few numbers by a numeric key, in typed arrays: a hundred times as compact as a map of objects. */
export class RowTable {
  readonly #width: number;
  #keys: Float64Array = numbers.take(FIRST_ROWS);
  #values: Float64Array;
  #slots: Int32Array = slots.take(2 * FIRST_ROWS);
  #count = 0;

  /** @param width numbers in a row */
  constructor(width: number) {
    this.#width = width;
    this.#values = numbers.take(FIRST_ROWS * width);
  }

  /**
   * The row of a key, all zero when it is new.
   *
   * @param key a whole number below 2^53
   * @returns where the row begins in `values`, until the next new key
   */
  rowOf(key: number): number {
    let slot = this.#slotOf(key);
    if (nth(this.#slots, slot) === EMPTY) {
      if (this.#count * 2 >= this.#slots.length) {
        this.#grow();
        slot = this.#slotOf(key);
      }
      this.#slots[slot] = this.#count;
      this.#keys[this.#count] = key;
      this.#count += 1;
    }
    return nth(this.#slots, slot) * this.#width;
  }

  get values(): Float64Array {
    return this.#values;
  }

  get count(): number {
    return this.#count;
  }

  /** In the order of the first use of each key. */
  forEach(take: (key: number, row: number) => void): void {
    for (let index = 0; index < this.#count; index += 1) take(nth(this.#keys, index), index * this.#width);
  }

  /** Gives the memory to later tables. The table is empty afterwards and takes no more rows. */
  release(): void {
    numbers.give(this.#keys);
    numbers.give(this.#values);
    slots.give(this.#slots);
    this.#keys = NO_NUMBERS;
    this.#values = NO_NUMBERS;
    this.#slots = NO_SLOTS;
    this.#count = 0;
  }

  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(key) & mask;
    for (let at = nth(this.#slots, slot); at !== EMPTY && this.#keys[at] !== key; at = nth(this.#slots, slot))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    slots.give(this.#slots);
    this.#slots = slots.take(4 * keys.length);
    this.#keys = numbers.take(2 * keys.length);
    this.#keys.set(keys);
    this.#values = numbers.take(2 * values.length);
    this.#values.set(values);
    numbers.give(keys);
    numbers.give(values);
    for (let index = 0; index < this.#count; index += 1) this.#slots[this.#slotOf(nth(this.#keys, index))] = index;
  }
}

const NO_NUMBERS = new Float64Array(0);
const NO_SLOTS = new Int32Array(0);

function hash(key: number): number {
  const low = Math.imul((key % 4_294_967_296) ^ (key / 4_294_967_296), 0x9e37_79b1);
  return (low ^ (low >>> 15)) >>> 0;
}
