/** The units that one request takes from its caller's budgets. */
export interface MeterRequest {
  readonly accountId: number;
  readonly keyId: number;
  /** The operation's id, for the usage record. */
  readonly operation: string;
  /**
   * `primary` spends the rate-limit window and the monthly quota; `usage` spends only the window shared by
   * the usage and identity operations.
   */
  readonly budget: "primary" | "usage";
  /** Units to reserve from the batch budget; null for operations other than batches. */
  readonly batchUnits: number | null;
  readonly quota: MonthlyQuota;
}

/** A request to the meter's object, with the id of the HTTP request for the object's log lines. */
export interface TracedMeterRequest extends MeterRequest {
  readonly requestId?: string | null;
}

/** Requests per UTC month. */
export interface MonthlyQuota {
  readonly included: number;
  /** Maximum with pay-as-you-go, including the included requests. */
  readonly ceiling: number;
  readonly payAsYouGo: boolean;
}

/** A budget as the rate-limit headers state it. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
}

export interface MeterVerdict {
  /** Null when admitted. A refused request spends nothing. */
  readonly refusedBy: "window" | "batch" | "quota" | null;
  /**
   * When the same request can be admitted, if nothing else is sent; null when admitted, or when its units
   * exceed the limit of the budget.
   */
  readonly retryAtMs: number | null;
  /**
   * Whether the usage record of this request was written; null when refused. The admission itself is always
   * stored, or the call throws.
   */
  readonly accounting: "persisted" | "failed" | null;
  /** The window that the request was counted against. */
  readonly window: BudgetState;
  /** The window of primary requests, also when this request was counted against the usage window. */
  readonly primary: BudgetState;
  /** Null for operations other than batches. */
  readonly batch: BudgetState | null;
  readonly quota: BudgetState & { readonly used: number };
  /** Primary requests of this UTC day. */
  readonly day: { readonly used: number; readonly resetAtMs: number };
}

/** The budgets of all users. One call decides all budgets of a request. */
export interface Meter {
  /** @throws MeterUnavailable when no decision was reached; the request must not be admitted */
  admit(request: MeterRequest): Promise<MeterVerdict>;
}

export class MeterUnavailable extends Error {
  override name = "MeterUnavailable";
}
