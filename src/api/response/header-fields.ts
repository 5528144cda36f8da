interface Field {
  readonly name: string;
  readonly value: string;
}

/** The part of `Headers` that completes a response. */
export type WritableHeaders = Pick<Headers, "get" | "has" | "set" | "append">;

/**
 * Response headers before the response exists. A call on the runtime's `Headers` leaves JavaScript and takes microseconds,
 * so the fields of a response are collected here and passed to the runtime once.
 */
export class HeaderFields implements WritableHeaders {
  /** By lower-case name. */
  readonly #fields = new Map<string, Field>();

  constructor(initial: Readonly<Record<string, string>> = {}) {
    for (const name in initial) this.set(name, initial[name] ?? "");
  }

  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase())?.value ?? null;
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#fields.set(name.toLowerCase(), { name, value });
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.#fields.delete(name.toLowerCase());
  }

  /** Sets these fields by their lower-case names. */
  copyTo(headers: WritableHeaders): void {
    for (const [name, { value }] of this.#fields) headers.set(name, value);
  }

  toRecord(): Record<string, string> {
    const record: Record<string, string> = {};
    for (const { name, value } of this.#fields.values()) record[name] = value;
    return record;
  }
}
