import type { BudgetState } from "../objects/meter.ts";

export interface IpVerdict extends BudgetState {
  /** Null when admitted; `throttled` during the cooldown that follows sustained excess. */
  readonly refusedBy: "limited" | "throttled" | null;
  /** When the next request can be admitted; null when admitted. */
  readonly retryAtMs: number | null;
}

/**
 * The key that a request presents. It is checked only when the IP budget refuses requests without a valid
 * one. Never throws.
 */
export interface PresentedKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  /** Whether the cached record of the key grants access. Needs no I/O of its own. */
  isKnownValid(): Promise<boolean>;
  /**
   * Whether the key grants access, with a database lookup when the cache has no record of it. True while the
   * database is unavailable: the request then fails at authentication.
   *
   * @param mayLookUp whether the database may be queried for a key that was never found before
   */
  isValid(mayLookUp: () => boolean): Promise<boolean>;
}

/** The budget shared by all callers behind one IP address. */
export interface IpBudget {
  /**
   * Never throws: without Redis it counts within this isolate.
   *
   * The window applies to every caller. A cooldown caused by other callers of the address does not apply to a
   * valid key, which has its own user's budget; only its own sustained excess throttles it.
   *
   * @param key null when the request presents no key, or the route accepts none
   */
  spend(ip: string, budget: "shared" | "health", key?: PresentedKey | null): Promise<IpVerdict>;
}
