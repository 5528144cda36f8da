/**
 * Arrays that are used again. Millions of small typed arrays that live for days of the stream leave the memory of the process
 * in pieces: it was twice what the arrays had together.
 */
export class ArrayPool<T extends Float64Array | Int32Array> {
  readonly #create: (length: number) => T;
  readonly #initial: number;
  readonly #free = new Map<number, T[]>();

  /** @param initial the value of each element of an array that is taken */
  constructor(create: (length: number) => T, initial: number) {
    this.#create = create;
    this.#initial = initial;
  }

  take(length: number): T {
    const array = this.#free.get(length)?.pop() ?? this.#create(length);
    array.fill(this.#initial);
    return array;
  }

  /** The caller must not use the array afterwards. */
  give(array: T): void {
    const free = this.#free.get(array.length) ?? [];
    this.#free.set(array.length, free);
    free.push(array);
  }
}
