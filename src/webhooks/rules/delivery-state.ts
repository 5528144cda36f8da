import type { AccountState, Plan } from "../../domain/accounts/accounts.ts";
import { EVENT_CATALOGUE, type EventType } from "../../events/registry.ts";
import { requestedWaitMs, MAX_ATTEMPTS, retryWaitMs } from "./retry-schedule.ts";

/** The result of a delivery attempt. */
export type AttemptResult =
  /** Any 2xx. */
  | { readonly kind: "accepted"; readonly status: number }
  /**
   * Any other response, including a redirect, which is never followed. `retryAfter` is the header, null when
   * absent.
   */
  | { readonly kind: "rejected"; readonly status: number; readonly retryAfter: string | null }
  /** No complete response in time, no connection, or an address to which nothing may be posted. */
  | { readonly kind: "timeout" | "connection_failed" | "name_not_resolved" | "address_refused" }
  /** Nothing was posted for a reason on our side, such as a temporary DNS failure. */
  | { readonly kind: "postponed" }
  /** Nothing was posted, and nothing will be: the account is not entitled to the event. */
  | { readonly kind: "not_entitled" };

/** Why the next attempt of a delivery is at its time. */
export const SCHEDULE_REASONS = [
  "receiver_retry_after",
  "transient_failure",
  "permanent_or_auth_failure",
  "manual_redelivery",
  "configuration_changed",
] as const;

type ScheduleReason = (typeof SCHEDULE_REASONS)[number];

export const ENDPOINT_STATUSES = ["pending_verification", "active", "disabled"] as const;

/** The state of an endpoint over all its deliveries. */
export interface EndpointState {
  readonly status: (typeof ENDPOINT_STATUSES)[number];
  /** Consecutive failed attempts. */
  readonly failureCount: number;
  /** While the circuit is open, nothing is posted; null when it is closed. */
  readonly openUntilMs: number | null;
}

export interface DeliveryOutcome {
  readonly delivery: {
    readonly status: "delivered" | "retry" | "dead_letter";
    readonly attemptCount: number;
    /** Null once the delivery is final. */
    readonly nextAttemptAtMs: number | null;
    readonly scheduleReason: ScheduleReason | null;
    /** Null without a response. */
    readonly responseStatus: number | null;
    /** Our description of the error; null when there was none. */
    readonly error: string | null;
  };
  readonly endpoint: {
    readonly failureCount: number;
    readonly openUntilMs: number | null;
    /**
     * Why this attempt disables the endpoint, so that all waiting deliveries become dead letters; null when
     * it does not.
     */
    readonly disabledReason: "failures" | "gone" | null;
  };
}

/** Consecutive failed attempts, over all deliveries, that disable an endpoint. */
export const DISABLE_AFTER_FAILURES = 8;
/** Consecutive failed attempts that open the endpoint's circuit. */
export const OPEN_AFTER_FAILURES = 3;
/** A receiver must respond to a delivery within this time. */
export const RESPONSE_TIMEOUT_MS = 15_000;
/** Concurrent attempts per endpoint. */
export const MAX_CONCURRENT_ATTEMPTS = 4;

const GONE = 410;

/**
 * How many attempts may start now: none while the circuit is open, and one at a time after a failure until
 * the endpoint has accepted a delivery.
 */
export function countStartableAttempts(
  { status, failureCount, openUntilMs }: EndpointState,
  inProgress: number,
  nowMs: number,
): number {
  if (status !== "active" || (openUntilMs !== null && openUntilMs > nowMs)) return 0;
  return Math.max(0, (failureCount > 0 ? 1 : MAX_CONCURRENT_ATTEMPTS) - inProgress);
}

/**
 * Decides the next state of the delivery and of the endpoint after an attempt.
 *
 * @param attemptCount attempts of the delivery before this one
 * @param endpoint the current state, which may differ from the state when the attempt started
 * @param random 0 to 1, 1 excluded
 */
export function decideOutcome(
  result: AttemptResult,
  attemptCount: number,
  endpoint: EndpointState,
  nowMs: number,
  random: number,
): DeliveryOutcome {
  const unchanged = { failureCount: endpoint.failureCount, openUntilMs: endpoint.openUntilMs, disabledReason: null };
  const noRetry = { nextAttemptAtMs: null, scheduleReason: null };
  const waitMs = retryWaitMs(random);
  if (result.kind === "accepted") {
    return {
      delivery: {
        status: "delivered",
        attemptCount: attemptCount + 1,
        ...noRetry,
        responseStatus: result.status,
        error: null,
      },
      endpoint: { failureCount: 0, openUntilMs: null, disabledReason: null },
    };
  }
  const responseStatus = result.kind === "rejected" ? result.status : null;
  const error = describeDeliveryFailure(result);
  // A disabled endpoint makes no further attempts, so a postponed delivery would wait forever.
  if (result.kind === "not_entitled" || (result.kind === "postponed" && endpoint.status === "disabled")) {
    return {
      delivery: { status: "dead_letter", attemptCount, ...noRetry, responseStatus, error },
      endpoint: unchanged,
    };
  }
  if (result.kind === "postponed") {
    const scheduled = { nextAttemptAtMs: nowMs + waitMs, scheduleReason: "transient_failure" } as const;
    return { delivery: { status: "retry", attemptCount, ...scheduled, responseStatus, error }, endpoint: unchanged };
  }
  const endpointAfter =
    endpoint.status === "active" ? afterFailure(responseStatus, endpoint, nowMs + waitMs) : unchanged;
  const isOver =
    attemptCount + 1 >= MAX_ATTEMPTS || endpoint.status === "disabled" || endpointAfter.disabledReason !== null;
  const requestedMs = result.kind === "rejected" ? requestedWaitMs(result.status, result.retryAfter, nowMs) : null;
  const scheduled = isOver
    ? noRetry
    : { nextAttemptAtMs: nowMs + (requestedMs ?? waitMs), scheduleReason: reasonFor(result, requestedMs) };
  return {
    delivery: {
      status: isOver ? "dead_letter" : "retry",
      attemptCount: attemptCount + 1,
      ...scheduled,
      responseStatus,
      error,
    },
    endpoint: endpointAfter,
  };
}

/** @param retryAtMs when an opened circuit closes, so that the delivery that opens it is not delayed by it */
function afterFailure(status: number | null, endpoint: EndpointState, retryAtMs: number): DeliveryOutcome["endpoint"] {
  const failureCount = endpoint.failureCount + 1;
  const disabledReason = status === GONE ? "gone" : failureCount >= DISABLE_AFTER_FAILURES ? "failures" : null;
  const isOpen = disabledReason === null && failureCount >= OPEN_AFTER_FAILURES;
  return { failureCount, openUntilMs: isOpen ? retryAtMs : null, disabledReason };
}

function reasonFor(result: AttemptResult, requestedMs: number | null): ScheduleReason {
  if (requestedMs !== null) return "receiver_retry_after";
  if (result.kind === "address_refused") return "permanent_or_auth_failure";
  if (result.kind !== "rejected") return "transient_failure";
  return result.status === 408 || result.status === 429 || result.status >= 500
    ? "transient_failure"
    : "permanent_or_auth_failure";
}

/** Describes why a delivery failed, for the endpoint's owner. */
export function describeDeliveryFailure(result: Exclude<AttemptResult, { kind: "accepted" }>): string {
  switch (result.kind) {
    case "rejected":
      return result.status >= 300 && result.status < 400
        ? `The receiver responded with status ${result.status}; redirects are not followed.`
        : `The receiver responded with status ${result.status}.`;
    case "timeout":
      return "The receiver did not respond within 15 seconds.";
    case "connection_failed":
      return "The receiver could not be reached.";
    case "name_not_resolved":
      return "The receiver's host name does not resolve.";
    case "address_refused":
      return "The receiver's host name resolves to an address that is not public.";
    case "postponed":
      return "The attempt was postponed because of a temporary DNS failure.";
    case "not_entitled":
      return "The account is not entitled to this event.";
  }
}

/** The account fields that decide which events it may receive. */
export interface Entitlement {
  readonly state: AccountState;
  readonly plan: Plan;
}

/**
 * Whether an account may receive events of a type: never when it is locked or deleted; subscriber-only events
 * need an active paid plan.
 */
export function isEntitled({ state, plan }: Entitlement, type: EventType): boolean {
  if (state === "deleted" || state === "locked") return false;
  return EVENT_CATALOGUE[type].access !== "paid" || (state === "active" && plan !== "free");
}
