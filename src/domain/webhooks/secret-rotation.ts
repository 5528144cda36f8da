/**
 * The signing secrets of an endpoint. They may be given sealed: nothing looks into them.
 *
 * A planned change has three steps. `prepare` stages a secret, which the owner's receiver learns while it does not sign yet; `activate` lets
 * it sign beside the old one for an hour, so that receivers on either of the two accept everything; `retire` ends that hour early. `rotate`
 * does without: from one delivery to the next only the new one signs.
 */
export interface EndpointSecrets {
  /** The one in force. */
  readonly secret: string;
  /** Prepared, and not in force yet. */
  readonly staged: string | null;
  /** Signs beside the one in force until `overlapEndsAtMs`. */
  readonly previous: string | null;
  readonly overlapEndsAtMs: number | null;
}

export type RotationStep =
  | { readonly kind: "prepare" | "rotate"; readonly fresh: string }
  | { readonly kind: "activate" | "retire"; readonly fresh?: never };

export type RotationDecision =
  /** How the secrets are from now on, which may be how they were; `shown` is the secret that the owner is told, null where none is. */
  | { readonly kind: "settled"; readonly secrets: EndpointSecrets; readonly shown: string | null }
  | { readonly kind: "not_prepared" | "overlap_active" | "delivery_in_progress" };

export const OVERLAP_MS = 3_600_000;

/** @param isBusy whether a delivery is under way: it was signed by the secrets that were in force when it was begun */
export function decideRotation(secrets: EndpointSecrets, step: RotationStep, nowMs: number, isBusy: boolean): RotationDecision {
  const { secret, staged } = secrets;
  const isOverlap = statusOf(secrets, nowMs) === "overlap";
  switch (step.kind) {
    case "rotate":
      return isBusy ? { kind: "delivery_in_progress" } : settle(only(step.fresh), step.fresh);
    case "prepare": {
      if (isOverlap) return { kind: "overlap_active" };
      // Asked again, it is the same secret that is shown: an answer that was lost can be asked for.
      const prepared = staged ?? step.fresh;
      return settle({ ...only(secret), staged: prepared }, prepared);
    }
    case "activate":
      if (isOverlap) return { kind: "overlap_active" };
      if (staged === null) return { kind: "not_prepared" };
      if (isBusy) return { kind: "delivery_in_progress" };
      return settle({ secret: staged, staged: null, previous: secret, overlapEndsAtMs: nowMs + OVERLAP_MS }, staged);
    case "retire":
      return settle({ ...only(secret), staged }, null);
  }
}

/** Whether a decision changes with a delivery being under way. */
export const asksForRest = ({ kind }: RotationStep): boolean => kind === "rotate" || kind === "activate";

/** What `secret_rotation.status` says. */
export function statusOf({ staged, previous, overlapEndsAtMs }: EndpointSecrets, nowMs: number): "idle" | "pending" | "overlap" {
  if (previous !== null && overlapEndsAtMs !== null && overlapEndsAtMs > nowMs) return "overlap";
  return staged === null ? "idle" : "pending";
}

/** The secrets that sign what is begun now, the one in force first. */
export function signingSecrets(secrets: EndpointSecrets, nowMs: number): readonly string[] {
  const { secret, previous } = secrets;
  return previous !== null && statusOf(secrets, nowMs) === "overlap" ? [secret, previous] : [secret];
}

const only = (secret: string): EndpointSecrets => ({ secret, staged: null, previous: null, overlapEndsAtMs: null });
const settle = (secrets: EndpointSecrets, shown: string | null): RotationDecision => ({ kind: "settled", secrets, shown });
