/** Longer than any read should take. A request that has been at it longer may be gone: it ends with its client, and says nothing. */
const LONGEST_MS = 1_000;

/** One request's work on an answer. */
export interface Making {
  readonly key: string;
  readonly since: number;
  /** Whether it has come to its end: the answer is in the memory then, or there is none. */
  ended: boolean;
}

/** The answers that requests of this isolate are making. */
export class AnswersInMaking {
  readonly #makings = new Map<string, Making>();

  /** @returns the caller's own work, or that of the request which is at it already: the caller can wait for its answer */
  join(key: string, now: number): { readonly making: Making; readonly isMine: boolean } {
    const other = this.#makings.get(key);
    if (other !== undefined && now < other.since + LONGEST_MS) return { making: other, isMine: false };
    const making = { key, since: now, ended: false };
    this.#makings.set(key, making);
    return { making, isMine: true };
  }

  end(making: Making): void {
    making.ended = true;
    if (this.#makings.get(making.key) === making) this.#makings.delete(making.key);
  }
}
