/** Challenges of one attempt to verify a receiver. */
export const MAX_CHALLENGES = 4;
/** An attempt ends after this long, or with its token if that comes first. */
export const ATTEMPT_MS = 15 * 60_000;
/** How long a verification token can be used. */
export const TOKEN_MS = 24 * 3_600_000;
/** A receiver has to answer a challenge within this. */
export const CHALLENGE_MS = 10_000;

/** Until the second, third and fourth challenge. */
const WAITS_MS = [5_000, 15_000, 45_000] as const;

/** What came of a challenge. */
export type ChallengeResult =
  | { readonly kind: "accepted"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number }
  | { readonly kind: "timeout" | "unreachable" }
  /** The receiver may not be posted to. */
  | { readonly kind: "refused" }
  /** Nothing was posted for a reason of ours. */
  | { readonly kind: "postponed" };

export type AttemptOutcome =
  | "verified"
  | "target_rejected"
  | "challenge_timeout"
  | "transport_failed"
  | "receiver_rejected"
  | "attempts_exhausted"
  | "internal_error";

export interface AttemptStep {
  readonly state: "queued" | "verified" | "failed";
  readonly outcome: AttemptOutcome;
  /** Challenges so far. One that was never posted is none. */
  readonly count: number;
  /** Until the next; null once it is over. */
  readonly waitMs: number | null;
  /** Null where there was no answer. */
  readonly responseStatus: number | null;
}

/**
 * What a challenge makes of its attempt.
 *
 * @param count challenges begun, this one among them: 1 to 4
 */
export function decideAfterChallenge(result: ChallengeResult, count: number): AttemptStep {
  const responseStatus = "status" in result ? result.status : null;
  if (result.kind === "accepted") return { state: "verified", outcome: "verified", count, waitMs: null, responseStatus };
  if (result.kind === "refused") return { state: "failed", outcome: "target_rejected", count, waitMs: null, responseStatus };
  if (result.kind === "postponed")
    return { state: "queued", outcome: "internal_error", count: count - 1, waitMs: WAITS_MS[0], responseStatus };
  const waitMs = WAITS_MS[count - 1];
  if (waitMs === undefined || count >= MAX_CHALLENGES)
    return { state: "failed", outcome: "attempts_exhausted", count, waitMs: null, responseStatus };
  return { state: "queued", outcome: OUTCOMES[result.kind], count, waitMs, responseStatus };
}

const OUTCOMES = { rejected: "receiver_rejected", timeout: "challenge_timeout", unreachable: "transport_failed" } as const;
