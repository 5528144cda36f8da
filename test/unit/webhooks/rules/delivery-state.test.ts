import { describe, expect, test } from "vitest";
import {
  countStartableAttempts,
  decideOutcome,
  type AttemptResult,
  type EndpointState,
} from "../../../../src/webhooks/rules/delivery-state.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const HEALTHY: EndpointState = { status: "active", failureCount: 0, openUntilMs: null };
const rejected = (status: number, retryAfter: string | null = null): AttemptResult => ({
  kind: "rejected",
  status,
  retryAfter,
});
/** With the random draw that waits exactly a minute. */
const decide = (result: AttemptResult, attemptCount = 0, endpoint: EndpointState = HEALTHY) =>
  decideOutcome(result, attemptCount, endpoint, NOW, 0.5);

describe("the outcome of an attempt", () => {
  test.for([200, 201, 204, 299])("an attempt with the response status %d delivers", (status) => {
    expect(decide({ kind: "accepted", status }, 3, { ...HEALTHY, failureCount: 7, openUntilMs: NOW - 1 })).toEqual({
      delivery: {
        status: "delivered",
        attemptCount: 4,
        nextAttemptAtMs: null,
        scheduleReason: null,
        responseStatus: status,
        error: null,
      },
      endpoint: { failureCount: 0, openUntilMs: null, disabledReason: null },
    });
  });

  test.for<[string, AttemptResult, string, number | null, number]>([
    ["a server error", rejected(500), "transient_failure", 500, 60_000],
    ["a server error with a Retry-After", rejected(503, "300"), "receiver_retry_after", 503, 300_000],
    ["too many requests", rejected(429), "transient_failure", 429, 60_000],
    ["a request timeout", rejected(408, "5"), "receiver_retry_after", 408, 60_000],
    ["a refusal", rejected(401), "permanent_or_auth_failure", 401, 60_000],
    ["an unknown path with a Retry-After", rejected(404, "300"), "permanent_or_auth_failure", 404, 60_000],
    ["a redirect", rejected(302), "permanent_or_auth_failure", 302, 60_000],
    ["an informational status", rejected(101), "permanent_or_auth_failure", 101, 60_000],
    ["a timeout", { kind: "timeout" }, "transient_failure", null, 60_000],
    ["a connection that failed", { kind: "connection_failed" }, "transient_failure", null, 60_000],
    ["a name that does not resolve", { kind: "name_not_resolved" }, "transient_failure", null, 60_000],
    ["a private address", { kind: "address_refused" }, "permanent_or_auth_failure", null, 60_000],
  ])("an attempt that met %s is retried", ([, result, scheduleReason, responseStatus, waitMs]) => {
    expect(decide(result, 6)).toEqual({
      delivery: {
        status: "retry",
        attemptCount: 7,
        nextAttemptAtMs: NOW + waitMs,
        scheduleReason,
        responseStatus,
        error: expect.stringMatching(/^(The|No) .*\.$/),
      },
      endpoint: { failureCount: 1, openUntilMs: null, disabledReason: null },
    });
  });

  test("the eighth failed attempt is the last", () => {
    expect(decide({ kind: "timeout" }, 7).delivery).toMatchObject({
      status: "dead_letter",
      attemptCount: 8,
      nextAttemptAtMs: null,
      scheduleReason: null,
    });
  });

  test("a postponed attempt does not count", () => {
    const endpoint = { ...HEALTHY, failureCount: 7, openUntilMs: NOW - 5 };
    expect(decide({ kind: "postponed" }, 7, endpoint)).toMatchObject({
      delivery: { status: "retry", attemptCount: 7, nextAttemptAtMs: NOW + 60_000 },
      endpoint: { failureCount: 7, openUntilMs: NOW - 5, disabledReason: null },
    });
  });

  test("a postponed attempt at a disabled endpoint dead-letters the delivery", () => {
    const endpoint = { ...HEALTHY, status: "disabled", failureCount: 3 } as const;
    expect(decide({ kind: "postponed" }, 2, endpoint)).toMatchObject({
      delivery: { status: "dead_letter", attemptCount: 2, nextAttemptAtMs: null, scheduleReason: null },
      endpoint: { failureCount: 3, disabledReason: null },
    });
  });

  test("an attempt that the account is not entitled to dead-letters the delivery without counting as a failure", () => {
    expect(decide({ kind: "not_entitled" }, 2, { ...HEALTHY, failureCount: 7 })).toMatchObject({
      delivery: { status: "dead_letter", attemptCount: 2, nextAttemptAtMs: null },
      endpoint: { failureCount: 7, disabledReason: null },
    });
  });
});

describe("the state of an endpoint", () => {
  test.for([
    [0, null],
    [1, null],
    [2, NOW + 60_000],
    [6, NOW + 60_000],
  ] as const)(
    "an endpoint that had failed %d times has its circuit open until %s after a failure",
    ([failureCount, openUntilMs]) => {
      expect(decide(rejected(500), 0, { ...HEALTHY, failureCount }).endpoint).toEqual({
        failureCount: failureCount + 1,
        openUntilMs,
        disabledReason: null,
      });
    },
  );

  test("an endpoint is paused for at most a minute when one delivery gets a Retry-After of an hour", () => {
    expect(decide(rejected(429, "3600"), 0, { ...HEALTHY, failureCount: 4 })).toMatchObject({
      delivery: { nextAttemptAtMs: NOW + 3_600_000 },
      endpoint: { openUntilMs: NOW + 60_000 },
    });
  });

  test("an endpoint that fails eight times in a row is disabled, and the delivery is dead-lettered", () => {
    expect(decide({ kind: "timeout" }, 0, { ...HEALTHY, failureCount: 7 })).toMatchObject({
      delivery: { status: "dead_letter", attemptCount: 1, nextAttemptAtMs: null },
      endpoint: { failureCount: 8, openUntilMs: null, disabledReason: "failures" },
    });
  });

  test("an endpoint that responds 410 is disabled at once", () => {
    expect(decide(rejected(410))).toMatchObject({
      delivery: { status: "dead_letter", attemptCount: 1, responseStatus: 410 },
      endpoint: { failureCount: 1, disabledReason: "gone" },
    });
  });

  test("an endpoint that was disabled during an attempt gets no further attempt and counts no further failure", () => {
    const disabled: EndpointState = { status: "disabled", failureCount: 8, openUntilMs: null };
    expect(decide(rejected(500), 0, disabled)).toMatchObject({
      delivery: { status: "dead_letter", attemptCount: 1 },
      endpoint: { failureCount: 8, disabledReason: null },
    });
    expect(decide({ kind: "accepted", status: 200 }, 0, disabled).delivery.status).toBe("delivered");
  });

  test.for<[string, Partial<EndpointState>, number, number]>([
    ["four attempts when idle", {}, 0, 4],
    ["one more beside three", {}, 3, 1],
    ["none beside four", {}, 4, 0],
    ["none beside more than four", {}, 6, 0],
    ["one at a time after a failure", { failureCount: 1 }, 0, 1],
    ["no second attempt after a failure", { failureCount: 1 }, 1, 0],
    ["none behind an open circuit", { failureCount: 3, openUntilMs: NOW + 1 }, 0, 0],
    ["one once the circuit may close", { failureCount: 3, openUntilMs: NOW }, 0, 1],
    ["none before it is verified", { status: "pending_verification" }, 0, 0],
    ["none when it is disabled", { status: "disabled" }, 0, 0],
  ])("an endpoint gets %s", ([, facts, inProgress, begins]) => {
    expect(countStartableAttempts({ ...HEALTHY, ...facts }, inProgress, NOW)).toBe(begins);
  });
});
