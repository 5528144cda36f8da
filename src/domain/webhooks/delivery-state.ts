import type { AccountState, Plan } from "../accounts.ts";
import { EVENT_CATALOGUE, type EventType } from "../event-catalogue.ts";
import { askedWaitMs, MAX_ATTEMPTS, retryWaitMs } from "./retry-schedule.ts";

/** What came of trying to deliver. */
export type AttemptResult =
  /** Any 2xx. */
  | { readonly kind: "accepted"; readonly status: number }
  /** Any other answer, a redirect included, which is never followed. `retryAfter` is the header, null when absent. */
  | { readonly kind: "rejected"; readonly status: number; readonly retryAfter: string | null }
  /** No whole answer in time, no connection, or an address that is not posted to. */
  | { readonly kind: "timeout" | "connection_failed" | "name_not_resolved" | "address_refused" }
  /** Nothing was posted for a reason of ours, such as names that cannot be looked up just now. */
  | { readonly kind: "postponed" }
  /** Nothing is posted any more: the account is not entitled to the event. */
  | { readonly kind: "not_entitled" };

export type ScheduleReason =
  | "receiver_retry_after"
  | "transient_failure"
  | "permanent_or_auth_failure"
  | "manual_redelivery"
  | "configuration_changed";

/** How an endpoint stands, over all its deliveries. */
export interface EndpointState {
  readonly status: "pending_verification" | "active" | "disabled";
  /** Failed attempts in a row. */
  readonly failureCount: number;
  /** While the circuit is open nothing is posted; null when it is closed. */
  readonly openUntilMs: number | null;
}

export interface AttemptOutcome {
  readonly delivery: {
    readonly status: "delivered" | "retry" | "dead_letter";
    readonly attemptCount: number;
    /** Null once it is over. */
    readonly nextAttemptAtMs: number | null;
    readonly scheduleReason: ScheduleReason | null;
    /** Null where there was no answer. */
    readonly responseStatus: number | null;
    /** What went wrong, in words of ours; null when nothing did. */
    readonly error: string | null;
  };
  readonly endpoint: {
    readonly failureCount: number;
    readonly openUntilMs: number | null;
    /** Why it is disabled by this, with all that waits for it becoming dead letters; null when it is not. */
    readonly disabledReason: "failures" | "gone" | null;
  };
}

/** Failed attempts in a row, over all deliveries, that disable an endpoint. */
export const DISABLE_AFTER_FAILURES = 8;
/** Failed attempts in a row that open its circuit. */
export const OPEN_AFTER_FAILURES = 3;
/** A receiver has to answer a delivery within this. */
export const ANSWER_MS = 15_000;
/** Attempts under way at once. */
export const CONCURRENCY = 4;

const GONE = 410;

/** How many attempts may begin now: none behind an open circuit, and one at a time until an endpoint that failed has accepted something. */
export function attemptsToBegin({ status, failureCount, openUntilMs }: EndpointState, underWay: number, nowMs: number): number {
  if (status !== "active" || (openUntilMs !== null && openUntilMs > nowMs)) return 0;
  return Math.max(0, (failureCount > 0 ? 1 : CONCURRENCY) - underWay);
}

/**
 * What an attempt makes of its delivery and of the endpoint.
 *
 * @param attemptCount of the delivery before this attempt
 * @param endpoint as it stands now, which may not be how it stood when the attempt began
 * @param random 0 to 1, 1 excluded
 */
export function decideOutcome(
  result: AttemptResult,
  attemptCount: number,
  endpoint: EndpointState,
  nowMs: number,
  random: number,
): AttemptOutcome {
  const unmoved = { failureCount: endpoint.failureCount, openUntilMs: endpoint.openUntilMs, disabledReason: null };
  const over = { nextAttemptAtMs: null, scheduleReason: null };
  const waitMs = retryWaitMs(random);
  if (result.kind === "accepted") {
    return {
      delivery: { status: "delivered", attemptCount: attemptCount + 1, ...over, responseStatus: result.status, error: null },
      endpoint: { failureCount: 0, openUntilMs: null, disabledReason: null },
    };
  }
  const responseStatus = result.kind === "rejected" ? result.status : null;
  const error = failureWords(result);
  // What is put off at a disabled endpoint would wait for nobody.
  if (result.kind === "not_entitled" || (result.kind === "postponed" && endpoint.status === "disabled")) {
    return { delivery: { status: "dead_letter", attemptCount, ...over, responseStatus, error }, endpoint: unmoved };
  }
  if (result.kind === "postponed") {
    const scheduled = { nextAttemptAtMs: nowMs + waitMs, scheduleReason: "transient_failure" } as const;
    return { delivery: { status: "retry", attemptCount, ...scheduled, responseStatus, error }, endpoint: unmoved };
  }
  const failed = endpoint.status === "active" ? afterFailure(responseStatus, endpoint, nowMs + waitMs) : unmoved;
  const isOver = attemptCount + 1 >= MAX_ATTEMPTS || endpoint.status === "disabled" || failed.disabledReason !== null;
  const asked = result.kind === "rejected" ? askedWaitMs(result.status, result.retryAfter, nowMs) : null;
  const scheduled = isOver ? over : { nextAttemptAtMs: nowMs + (asked ?? waitMs), scheduleReason: reasonFor(result, asked) };
  return {
    delivery: { status: isOver ? "dead_letter" : "retry", attemptCount: attemptCount + 1, ...scheduled, responseStatus, error },
    endpoint: failed,
  };
}

/** @param retryAtMs until when the circuit is open, should it be: the delivery that opens it is not held back by it */
function afterFailure(status: number | null, endpoint: EndpointState, retryAtMs: number): AttemptOutcome["endpoint"] {
  const failureCount = endpoint.failureCount + 1;
  const disabledReason = status === GONE ? "gone" : failureCount >= DISABLE_AFTER_FAILURES ? "failures" : null;
  const isOpen = disabledReason === null && failureCount >= OPEN_AFTER_FAILURES;
  return { failureCount, openUntilMs: isOpen ? retryAtMs : null, disabledReason };
}

function reasonFor(result: AttemptResult, askedMs: number | null): ScheduleReason {
  if (askedMs !== null) return "receiver_retry_after";
  if (result.kind === "address_refused") return "permanent_or_auth_failure";
  if (result.kind !== "rejected") return "transient_failure";
  return result.status === 408 || result.status === 429 || result.status >= 500 ? "transient_failure" : "permanent_or_auth_failure";
}

/** What is said of a delivery that did not arrive. */
export function failureWords(result: Exclude<AttemptResult, { kind: "accepted" }>): string {
  switch (result.kind) {
    case "rejected":
      return result.status >= 300 && result.status < 400
        ? `The receiver answered ${result.status}; redirects are not followed.`
        : `The receiver answered ${result.status}.`;
    case "timeout":
      return "The receiver did not answer within 15 seconds.";
    case "connection_failed":
      return "The receiver could not be reached.";
    case "name_not_resolved":
      return "The receiver's name does not resolve.";
    case "address_refused":
      return "The receiver's name resolves to an address that is not public.";
    case "postponed":
      return "The attempt was put off because names could not be looked up.";
    case "not_entitled":
      return "The account is not entitled to this event.";
  }
}

/** What decides what an account is told. */
export interface Entitlement {
  readonly state: AccountState;
  readonly plan: Plan;
}

/** Whether an account may be told of events of a type: nobody locked or deleted, and of those for subscribers none without a subscription. */
export function isEntitled({ state, plan }: Entitlement, type: EventType): boolean {
  if (state === "deleted" || state === "locked") return false;
  return !EVENT_CATALOGUE[type].isProOnly || (state === "active" && plan !== "free");
}
