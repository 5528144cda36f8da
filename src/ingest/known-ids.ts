export interface OutcomeRef {
  readonly outcomeId: number;
  readonly marketId: number;
}

/** Row ids looked up during one transaction; kept only once it has committed. */
export interface Learned {
  readonly traders: Map<string, number>;
  readonly outcomes: Map<string, OutcomeRef>;
}

/**
 * Row ids never change while a database lives, so a writer may keep them from page to page. Bounded: past the limit it starts over, as it
 * does after a transaction that failed, in case the database is not the one it knew.
 */
export class KnownIds {
  readonly #traders = new Map<string, number>();
  readonly #outcomes = new Map<string, OutcomeRef>();
  readonly #limit: number;

  constructor(limit = 50_000) {
    this.#limit = limit;
  }

  traderId(address: string): number | undefined {
    return this.#traders.get(address);
  }

  outcome(tokenId: string): OutcomeRef | undefined {
    return this.#outcomes.get(tokenId);
  }

  /** Runs a transaction that looks ids up. @returns its result, once its ids are kept */
  async keepAfter<T extends { learned: Learned }>(transaction: () => Promise<T>): Promise<T> {
    try {
      const result = await transaction();
      this.#keep(result.learned);
      return result;
    } catch (error) {
      this.#traders.clear();
      this.#outcomes.clear();
      throw error;
    }
  }

  #keep(learned: Learned): void {
    if (this.#traders.size > this.#limit) this.#traders.clear();
    if (this.#outcomes.size > this.#limit) this.#outcomes.clear();
    for (const [address, id] of learned.traders) this.#traders.set(address, id);
    for (const [tokenId, ref] of learned.outcomes) this.#outcomes.set(tokenId, ref);
  }
}
