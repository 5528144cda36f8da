import type { BudgetState } from "./meter.ts";

export interface IpVerdict extends BudgetState {
  /** Null when admitted; `throttled` during the cooldown that follows sustained excess. */
  readonly refusedBy: "limited" | "throttled" | null;
  /** When the next request can be admitted; null when admitted. */
  readonly retryAtMs: number | null;
}

/** The budget that all callers behind one IP address share. */
export interface IpBudget {
  /** Never throws: without its store it counts within this isolate. */
  spend(ip: string, budget: "shared" | "health"): Promise<IpVerdict>;
}
