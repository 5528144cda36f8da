import type { CredentialIdentity, LoadRecord } from "../../domain/accounts/credential-record.ts";
import type { AccessDecision, AccessRefusal, AccessRequirement } from "../../domain/accounts/decide-access.ts";
import type { Principal } from "../../domain/accounts/principal.ts";

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

/** The id of the HTTP request, for the log lines of the meter's object. */
export interface Traced {
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

/** A request by the holder of a credential. */
export interface CallerRequest extends Pick<MeterRequest, "operation" | "budget" | "batchUnits"> {
  readonly credential: CredentialIdentity;
  readonly requirement: AccessRequirement;
}

/** A refused credential spends nothing. A granted one may still be over a budget: see the verdict. */
export type Admission =
  | { readonly kind: "refused"; readonly reason: AccessRefusal }
  | { readonly kind: "granted"; readonly principal: Principal; readonly verdict: MeterVerdict };

/**
 * The meters of all accounts. An account's meter is the authority on its credentials and on its budgets.
 *
 * Every method throws MeterUnavailable when the meter does not respond; the request must then not be admitted, and the
 * change not be made.
 */
export interface Meter {
  /**
   * Decides access and all budgets of a request, in one call.
   *
   * @param load is called when the meter does not have the record of this credential; its errors are thrown
   */
  admit(request: CallerRequest, load: LoadRecord): Promise<Admission>;
  /** Decides access alone and spends nothing. */
  authorize(request: Pick<CallerRequest, "credential" | "requirement">, load: LoadRecord): Promise<AccessDecision>;
  /**
   * Refuses these credentials from now on, before their revocation is written to Postgres. A refusal that Postgres does
   * not confirm within five minutes ends.
   */
  refuse(accountId: number, hashes: readonly string[]): Promise<void>;
  /**
   * Drops the records of an account, before and after a change of it is written to Postgres. For a minute from then on,
   * records are read from Postgres for each request and not stored.
   */
  forget(accountId: number): Promise<void>;
}

export class MeterUnavailable extends Error {
  override name = "MeterUnavailable";
}
