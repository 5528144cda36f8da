import type { BudgetState } from "../objects/meter.ts";

export interface IpVerdict extends BudgetState {
  /** Null when admitted; `throttled` during the cooldown that follows sustained excess. */
  readonly refusedBy: "limited" | "throttled" | null;
  /** When the next request can be admitted; null when admitted. */
  readonly retryAtMs: number | null;
}

/**
 * The key that a request presents. It is looked up only when the IP budget refuses requests without a valid
 * one. Never throws.
 */
export interface PresentedKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  /** Whether this isolate has met the key, and the account's meter has not refused it lately. Needs no I/O. */
  isKnown(): boolean;
  /**
   * Whether the key grants access, with a database lookup when it was never found before. True while the database or
   * the account's meter is unavailable: the request then fails at its admission.
   *
   * @param mayLookUp whether the database may be queried for a key that was never found before
   */
  isValid(mayLookUp: () => boolean): Promise<boolean>;
}

/** The request that spends a budget. */
export interface SpendingRequest {
  /** Null when the request presents no key, or the route accepts none. */
  readonly key: PresentedKey | null;
  /** Keeps the request alive for work that outlasts its response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The budget shared by all callers behind one IP address. */
export interface IpBudget {
  /**
   * Never throws: without Redis it counts within this isolate.
   *
   * Neither a cooldown nor a window spent by callers without a valid key applies to a valid key, which has its own user's
   * budget. Valid keys behind the address share the window among themselves; only its own sustained excess throttles one.
   * A key that this isolate knows is counted in the background, and so is a request without a key from an address that was
   * far from its limit a moment ago.
   */
  spend(ip: string, budget: "shared" | "health", request: SpendingRequest): Promise<IpVerdict>;
}
