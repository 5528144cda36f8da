import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import {
  requiresIdleEndpoint,
  decideRotation,
  OVERLAP_MS,
  rotationStatus,
  type EndpointSecrets,
  type RotationStep,
} from "../../../src/webhooks/rules/secret-rotation.ts";
import { signingSecrets } from "../oracles/signing-secrets.ts";

/** A delivery in progress, signed with the secrets that were current at its start. */
interface DeliveryInProgress {
  readonly signedBy: readonly string[];
  readonly leaseEndsAtMs: number;
}

/** A receiver with one secret, and the period in which the owner was promised that this secret suffices. */
interface SecretPromise {
  readonly secret: string;
  readonly fromMs: number;
  /** Null while the promise has no end. */
  untilMs: number | null;
}

/** A worker is abandoned after this time and then posts nothing. */
const LEASE_MS = 45_000;

/**
 * Simulates an owner who prepares, activates, retires and rotates secrets in any order while deliveries start
 * and are posted. Receivers are modelled independently of the state machine: each has one secret and the
 * period in which that secret was promised to suffice.
 *
 * @throws an Error that names the violated invariant
 */
export function simulateRotation(seed: number, steps: number): void {
  const random = mulberry32(seed);
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };
  let nowMs = 1_800_000_000_000;
  let fresh = 0;
  let secrets: EndpointSecrets = { secret: "secret-0", staged: null, previous: null, overlapEndsAtMs: null };
  let inProgress: DeliveryInProgress[] = [];
  let current: SecretPromise = { secret: "secret-0", fromMs: nowMs, untilMs: null };
  // Assigned in a function, which the type checker does not follow.
  let older = null as SecretPromise | null;
  let staged: string | null = null;

  /** Every receiver whose promise holds must be able to verify the delivery that arrives now. */
  function post(delivery: DeliveryInProgress): void {
    for (const receiver of [current, older]) {
      if (receiver === null || (receiver.untilMs !== null && receiver.untilMs <= nowMs)) continue;
      must(
        delivery.signedBy.includes(receiver.secret),
        `a delivery was rejected by a receiver with the secret ${receiver.secret}`,
      );
    }
  }

  function applyStep(step: RotationStep): void {
    inProgress = inProgress.filter(({ leaseEndsAtMs }) => leaseEndsAtMs > nowMs);
    const isBusy = inProgress.length > 0;
    const isOverlap = older !== null && older.untilMs !== null && older.untilMs > nowMs;
    const decision = decideRotation(secrets, step, nowMs, isBusy);
    const expected =
      step.kind === "prepare"
        ? isOverlap
          ? "overlap_active"
          : "settled"
        : step.kind === "retire"
          ? "settled"
          : step.kind === "rotate"
            ? isBusy
              ? "delivery_in_progress"
              : "settled"
            : isOverlap
              ? "overlap_active"
              : staged === null
                ? "not_prepared"
                : isBusy
                  ? "delivery_in_progress"
                  : "settled";
    must(decision.kind === expected, `${step.kind} was ${decision.kind}, not ${expected}`);
    must(
      requiresIdleEndpoint(step) || decision.kind !== "delivery_in_progress",
      `${step.kind} was refused because of a delivery in progress`,
    );
    if (decision.kind !== "settled") return;
    ({ secrets } = decision);
    switch (step.kind) {
      case "prepare":
        must(decision.shown === (staged ?? step.fresh), "a prepared secret was not shown or was replaced");
        staged = decision.shown;
        break;
      case "activate":
        must(decision.shown === staged, "another secret than the prepared one became active");
        older = { ...current, untilMs: nowMs + OVERLAP_MS };
        current = { secret: decision.shown ?? "", fromMs: nowMs, untilMs: null };
        staged = null;
        break;
      case "retire":
        must(decision.shown === null, "retiring showed a secret");
        older = null;
        break;
      case "rotate":
        must(decision.shown === step.fresh, "rotating did not show the new secret");
        older = null;
        current = { secret: step.fresh, fromMs: nowMs, untilMs: null };
        staged = null;
    }
  }

  for (let step = 0; step < steps; step++) {
    const what = random();
    if (what < 0.25) nowMs += Math.floor(random() * (random() < 0.05 ? 2 * OVERLAP_MS : 4_000));
    else if (what < 0.45) {
      if (inProgress.length < 4)
        inProgress.push({ signedBy: signingSecrets(secrets, nowMs), leaseEndsAtMs: nowMs + LEASE_MS });
    } else if (what < 0.75) {
      const delivery = inProgress.splice(Math.floor(random() * inProgress.length), 1)[0];
      if (delivery !== undefined && delivery.leaseEndsAtMs > nowMs) post(delivery);
    } else if (what < 0.83) applyStep({ kind: "prepare", fresh: `secret-${++fresh}` });
    else if (what < 0.95) applyStep({ kind: "activate" });
    else if (what < 0.975) applyStep({ kind: "retire" });
    else applyStep({ kind: "rotate", fresh: `secret-${++fresh}` });
    const isOverlap = older !== null && older.untilMs !== null && older.untilMs > nowMs;
    must(
      rotationStatus(secrets, nowMs) === (isOverlap ? "overlap" : staged === null ? "idle" : "pending"),
      "the status does not match",
    );
    const signs = signingSecrets(secrets, nowMs);
    const expected = isOverlap && older !== null ? [current.secret, older.secret] : [current.secret];
    must(signs.join() === expected.join(), `${signs.join()} sign, not ${expected.join()}`);
    must(staged === null || !signs.includes(staged), "a prepared secret signs before its activation");
  }
}
