import { nth } from "../nth.ts";

const EMPTY = -1;

/** Rows of a few numbers by a numeric key, in typed arrays: a hundred times as compact as a map of objects. */
export class RowTable {
  readonly #width: number;
  #keys = new Float64Array(8);
  #values: Float64Array;
  #slots = new Int32Array(16).fill(EMPTY);
  #count = 0;

  /** @param width numbers in a row */
  constructor(width: number) {
    this.#width = width;
    this.#values = new Float64Array(8 * width);
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

  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(key) & mask;
    for (let at = nth(this.#slots, slot); at !== EMPTY && this.#keys[at] !== key; at = nth(this.#slots, slot))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    const keys = new Float64Array(this.#slots.length / 2);
    keys.set(this.#keys.subarray(0, this.#count));
    this.#keys = keys;
    const values = new Float64Array(keys.length * this.#width);
    values.set(this.#values.subarray(0, this.#count * this.#width));
    this.#values = values;
    for (let index = 0; index < this.#count; index += 1) this.#slots[this.#slotOf(nth(keys, index))] = index;
  }
}

function hash(key: number): number {
  const low = Math.imul((key % 4_294_967_296) ^ (key / 4_294_967_296), 0x9e37_79b1);
  return (low ^ (low >>> 15)) >>> 0;
}
