import { DAY_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

/** The maximum number of challenges in one verification attempt. */
export const MAX_CHALLENGES = 4;
/** A verification attempt ends after this time, or when its token expires if that is earlier. */
export const VERIFICATION_ATTEMPT_MS = 15 * MINUTE_MS;
/** How long a verification token is valid. */
export const TOKEN_MS = DAY_MS;
/** A receiver must respond to a challenge within this time. */
export const CHALLENGE_TIMEOUT_MS = 10_000;

/** The waits before the second, third and fourth challenge. */
const WAITS_MS = [5_000, 15_000, 45_000] as const;

/** The result of a challenge. */
export type ChallengeResult =
  | { readonly kind: "accepted"; readonly status: number }
  | { readonly kind: "rejected"; readonly status: number }
  | { readonly kind: "timeout" | "unreachable" }
  /** Posting to the receiver is not allowed. */
  | { readonly kind: "refused" }
  /** Nothing was posted for a reason on our side. */
  | { readonly kind: "postponed" };

export const VERIFICATION_STATES = ["queued", "running", "verified", "failed", "cancelled", "expired"] as const;

/** The result of the last challenge of an attempt, or the reason for the end of the attempt. */
export const VERIFICATION_OUTCOMES = [
  "verified",
  "target_rejected",
  "challenge_timeout",
  "transport_failed",
  "receiver_rejected",
  "token_expired",
  "endpoint_changed",
  "owner_revoked",
  "attempts_exhausted",
  "internal_error",
] as const;

export interface VerificationStep {
  readonly state: "queued" | "verified" | "failed";
  readonly outcome: (typeof VERIFICATION_OUTCOMES)[number];
  /** Challenges so far, without those that were never posted. */
  readonly count: number;
  /** Time until the next challenge; null once the attempt is final. */
  readonly waitMs: number | null;
  /** Null without a response. */
  readonly responseStatus: number | null;
}

/**
 * Decides the next state of a verification attempt after a challenge.
 *
 * @param count challenges started, including this one: 1 to 4
 */
export function decideAfterChallenge(result: ChallengeResult, count: number): VerificationStep {
  const responseStatus = "status" in result ? result.status : null;
  if (result.kind === "accepted")
    return { state: "verified", outcome: "verified", count, waitMs: null, responseStatus };
  if (result.kind === "refused")
    return { state: "failed", outcome: "target_rejected", count, waitMs: null, responseStatus };
  if (result.kind === "postponed")
    return { state: "queued", outcome: "internal_error", count: count - 1, waitMs: WAITS_MS[0], responseStatus };
  const waitMs = WAITS_MS[count - 1];
  if (waitMs === undefined || count >= MAX_CHALLENGES)
    return { state: "failed", outcome: "attempts_exhausted", count, waitMs: null, responseStatus };
  return { state: "queued", outcome: OUTCOMES[result.kind], count, waitMs, responseStatus };
}

const OUTCOMES = {
  rejected: "receiver_rejected",
  timeout: "challenge_timeout",
  unreachable: "transport_failed",
} as const;
