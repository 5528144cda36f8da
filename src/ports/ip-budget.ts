import type { BudgetState } from "./meter.ts";

export interface IpVerdict extends BudgetState {
  /** Null when admitted; `throttled` during the cooldown that follows sustained excess. */
  readonly refusedBy: "limited" | "throttled" | null;
  /** When the next request can be admitted; null when admitted. */
  readonly retryAtMs: number | null;
}

/** The key that a request presents. It is judged only where the address's budget refuses requests without a valid one. Never throws. */
export interface PresentedKey {
  /** Stands for the key, and does not reveal it. */
  readonly id: string;
  /** Whether the cache's record of the key lets the request in. Costs nothing. */
  isKnownValid(): Promise<boolean>;
  /**
   * Whether the key lets the request in, asking the database when the cache has no record of it. True while the database cannot be asked: the
   * request fails by that later.
   *
   * @param mayLookUp whether the database may be asked for a key that was never seen to be valid
   */
  isValid(mayLookUp: () => boolean): Promise<boolean>;
}

/** The budget that all callers behind one IP address share. */
export interface IpBudget {
  /**
   * Never throws: without its store it counts within this isolate.
   *
   * The window holds for every caller. A cooldown that others behind the address have earned does not hold for a valid key, which has its
   * own user's budget; only its own sustained excess throttles it.
   *
   * @param key null for a request that presents none, or to a route that takes none
   */
  spend(ip: string, budget: "shared" | "health", key?: PresentedKey | null): Promise<IpVerdict>;
}
