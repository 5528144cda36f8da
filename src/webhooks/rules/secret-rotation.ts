import { HOUR_MS } from "../../scoring/utc-calendar.ts";

/**
 * The signing secrets of an endpoint. They may be sealed: this file does not read their content.
 *
 * A planned rotation has three steps. `prepare` stages a secret, which the owner can deploy to the receiver
 * while it does not sign yet. `activate` lets it sign together with the old one for an hour, so that
 * receivers with either secret accept everything. `retire` ends that hour early. `rotate` skips these steps:
 * from the next delivery on, only the new secret signs.
 */
export interface EndpointSecrets {
  /** The active secret. */
  readonly secret: string;
  /** Prepared, but not active yet. */
  readonly staged: string | null;
  /** Signs together with the active secret until `overlapEndsAtMs`. */
  readonly previous: string | null;
  readonly overlapEndsAtMs: number | null;
}

export type RotationStep =
  | { readonly kind: "prepare" | "rotate"; readonly fresh: string }
  | { readonly kind: "activate" | "retire"; readonly fresh?: never };

export type RotationDecision =
  /**
   * The secrets from now on, possibly unchanged; `shown` is the secret to return to the owner, null when
   * there is none.
   */
  | { readonly kind: "settled"; readonly secrets: EndpointSecrets; readonly shown: string | null }
  | { readonly kind: "not_prepared" | "overlap_active" | "delivery_in_progress" };

export const OVERLAP_MS = HOUR_MS;

/**
 * @param isBusy whether a delivery is in progress: it was signed with the secrets that were active when it
 *   started
 */
export function decideRotation(
  secrets: EndpointSecrets,
  step: RotationStep,
  nowMs: number,
  isBusy: boolean,
): RotationDecision {
  const { secret, staged } = secrets;
  const isOverlap = rotationStatus(secrets, nowMs) === "overlap";
  switch (step.kind) {
    case "rotate":
      return isBusy ? { kind: "delivery_in_progress" } : settle(onlySecret(step.fresh), step.fresh);
    case "prepare": {
      if (isOverlap) return { kind: "overlap_active" };
      // A repeated request returns the same secret, so that a client can recover a lost response.
      const prepared = staged ?? step.fresh;
      return settle({ ...onlySecret(secret), staged: prepared }, prepared);
    }
    case "activate":
      if (isOverlap) return { kind: "overlap_active" };
      if (staged === null) return { kind: "not_prepared" };
      if (isBusy) return { kind: "delivery_in_progress" };
      return settle({ secret: staged, staged: null, previous: secret, overlapEndsAtMs: nowMs + OVERLAP_MS }, staged);
    case "retire":
      return settle({ ...onlySecret(secret), staged }, null);
  }
}

/** Whether the step is refused while a delivery is in progress. */
export const requiresIdleEndpoint = ({ kind }: RotationStep): boolean => kind === "rotate" || kind === "activate";

/** The value of `secret_rotation.status`. */
export function rotationStatus(
  { staged, previous, overlapEndsAtMs }: EndpointSecrets,
  nowMs: number,
): "idle" | "pending" | "overlap" {
  if (previous !== null && overlapEndsAtMs !== null && overlapEndsAtMs > nowMs) return "overlap";
  return staged === null ? "idle" : "pending";
}

const onlySecret = (secret: string): EndpointSecrets => ({
  secret,
  staged: null,
  previous: null,
  overlapEndsAtMs: null,
});
const settle = (secrets: EndpointSecrets, shown: string | null): RotationDecision => ({
  kind: "settled",
  secrets,
  shown,
});
