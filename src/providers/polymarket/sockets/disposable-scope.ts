/**
 * Collects cleanup functions and calls them when the scope is disposed. One scope per connection or back-off.
 */
export class DisposableScope {
  readonly #cleanups: (() => void)[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Calls `call` when the scope is disposed; at once if it already is. */
  onDispose(call: () => void): void {
    if (this.#isDisposed) call();
    else this.#cleanups.push(call);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const call of this.#cleanups) call();
  }
}
