/** What one admitted or refused request asks of its caller's budgets. */
export interface MeterRequest {
  readonly accountId: number;
  readonly keyId: number;
  /** The operation's id, for the usage record. */
  readonly operation: string;
  /** `primary` spends the minute's window and the month's quota; `usage` spends only the window that reads of usage and identity share. */
  readonly budget: "primary" | "usage";
  /** Units to reserve from the batch budget; null for operations that are no batch. */
  readonly batchUnits: number | null;
  readonly quota: MonthlyQuota;
}

/** Requests a UTC month. */
export interface MonthlyQuota {
  readonly included: number;
  /** Up to how many requests pay-as-you-go goes, the included ones counted. */
  readonly ceiling: number;
  readonly payAsYouGo: boolean;
}

/** A budget as the rate-limit headers tell it. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
}

export interface MeterVerdict {
  /** Null when admitted. What refused spends nothing. */
  readonly refusedBy: "window" | "batch" | "quota" | null;
  /** When the same request can be admitted, if nothing else is sent; null when admitted, or when no budget could ever hold so many units. */
  readonly retryAtMs: number | null;
  /** Whether the usage record of this request was written; null when refused. Admission itself is always written, or the call throws. */
  readonly accounting: "persisted" | "failed" | null;
  /** The window that the request was counted against. */
  readonly window: BudgetState;
  /** The window of primary requests, whichever window this one was counted against. */
  readonly primary: BudgetState;
  /** Null for operations that are no batch. */
  readonly batch: BudgetState | null;
  readonly quota: BudgetState & { readonly used: number };
  /** Primary requests of this UTC day. */
  readonly day: { readonly used: number; readonly resetAtMs: number };
}

/** The budgets of every user, each decided in one call. */
export interface Meter {
  /** @throws MeterUnavailable when nothing was decided; the request must not be admitted */
  admit(request: MeterRequest): Promise<MeterVerdict>;
}

export class MeterUnavailable extends Error {
  override name = "MeterUnavailable";
}
