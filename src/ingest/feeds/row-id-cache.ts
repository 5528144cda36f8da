import { LRUCache } from "lru-cache";

export interface OutcomeRef {
  readonly outcomeId: number;
  readonly marketId: number;
}

/** Row ids looked up during one transaction. They are cached only once it has committed. */
export interface NewRowIds {
  readonly traders: Map<string, number>;
  readonly outcomes: Map<string, OutcomeRef>;
}

/** Row ids by address and by token; undefined where they are not known. */
export type KnownRowIds = Pick<RowIdCache, "traderId" | "outcome">;

/**
 * Caches of row ids, which never change during the life of a database. Each evicts its least recently used
 * ids. Both are cleared after a failed transaction, in case the connection now reaches a different database.
 */
export class RowIdCache {
  readonly #traders: LRUCache<string, number>;
  readonly #outcomes: LRUCache<string, OutcomeRef>;

  /** @param max ids of traders, and ids of outcomes */
  constructor(max = 50_000) {
    this.#traders = new LRUCache({ max });
    this.#outcomes = new LRUCache({ max });
  }

  traderId(address: string): number | undefined {
    return this.#traders.get(address);
  }

  outcome(tokenId: string): OutcomeRef | undefined {
    return this.#outcomes.get(tokenId);
  }

  /**
   * Runs a transaction that looks up row ids and caches them after its commit.
   * @returns the transaction's result
   */
  async cacheAfterCommit<T extends { learned: NewRowIds }>(transaction: () => Promise<T>): Promise<T> {
    try {
      const result = await transaction();
      this.#cache(result.learned);
      return result;
    } catch (error) {
      this.#traders.clear();
      this.#outcomes.clear();
      throw error;
    }
  }

  #cache(learned: NewRowIds): void {
    for (const [address, id] of learned.traders) this.#traders.set(address, id);
    for (const [tokenId, ref] of learned.outcomes) this.#outcomes.set(tokenId, ref);
  }
}
