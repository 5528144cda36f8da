/** One connection's life, and what has to happen when it ends. */
export class Lifetime {
  readonly #endings: (() => void)[] = [];
  #over = false;

  get over(): boolean {
    return this.#over;
  }

  /** Calls when the life ends; at once when it has. */
  atEnd(call: () => void): void {
    if (this.#over) call();
    else this.#endings.push(call);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const call of this.#endings) call();
  }
}
