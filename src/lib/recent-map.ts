/** A map of bounded size: the least recently used make room. */
export class RecentMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #capacity: number;

  /** @param capacity entries, at least 1 */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find(key: string): Value | null {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    this.set(key, value);
    return value;
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#capacity) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }
}
