import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import {
  asksForRest,
  decideRotation,
  OVERLAP_MS,
  signingSecrets,
  statusOf,
  type EndpointSecrets,
  type RotationStep,
} from "../../../src/domain/webhooks/secret-rotation.ts";

/** A delivery on its way: signed by what was in force when it was begun. */
interface UnderWay {
  readonly signedBy: readonly string[];
  readonly leaseEndsAtMs: number;
}

/** A receiver that knows one secret, and for how long it was promised that this is enough. */
interface Promised {
  readonly secret: string;
  readonly fromMs: number;
  /** Null while nothing ends it. */
  untilMs: number | null;
}

/** A worker is given up after this long, and posts nothing any more. */
const LEASE_MS = 45_000;

/**
 * An endpoint whose owner prepares, activates, retires and rotates in any order while deliveries are begun and posted. Receivers are told
 * apart from the machine: each knows one secret, from when the owner was promised that it is enough until when it was promised to be.
 *
 * @throws an Error that names what did not hold
 */
export function simulateRotation(seed: number, steps: number): void {
  const random = mulberry32(seed);
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };
  let nowMs = 1_800_000_000_000;
  let fresh = 0;
  let secrets: EndpointSecrets = { secret: "secret-0", staged: null, previous: null, overlapEndsAtMs: null };
  let underWay: UnderWay[] = [];
  let current: Promised = { secret: "secret-0", fromMs: nowMs, untilMs: null };
  // Set by a function, which the type checker does not follow.
  let older = null as Promised | null;
  let staged: string | null = null;

  /** What every receiver says that was promised to understand what arrives now. */
  function post(delivery: UnderWay): void {
    for (const receiver of [current, older]) {
      if (receiver === null || (receiver.untilMs !== null && receiver.untilMs <= nowMs)) continue;
      must(delivery.signedBy.includes(receiver.secret), `a delivery was rejected by a receiver that holds ${receiver.secret}`);
    }
  }

  function take(step: RotationStep): void {
    underWay = underWay.filter(({ leaseEndsAtMs }) => leaseEndsAtMs > nowMs);
    const isBusy = underWay.length > 0;
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
    must(asksForRest(step) || decision.kind !== "delivery_in_progress", `${step.kind} was refused for a delivery under way`);
    if (decision.kind !== "settled") return;
    ({ secrets } = decision);
    switch (step.kind) {
      case "prepare":
        must(decision.shown === (staged ?? step.fresh), "a prepared secret was not shown, or was drawn anew");
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
      if (underWay.length < 4) underWay.push({ signedBy: signingSecrets(secrets, nowMs), leaseEndsAtMs: nowMs + LEASE_MS });
    } else if (what < 0.75) {
      const delivery = underWay.splice(Math.floor(random() * underWay.length), 1)[0];
      if (delivery !== undefined && delivery.leaseEndsAtMs > nowMs) post(delivery);
    } else if (what < 0.83) take({ kind: "prepare", fresh: `secret-${++fresh}` });
    else if (what < 0.95) take({ kind: "activate" });
    else if (what < 0.975) take({ kind: "retire" });
    else take({ kind: "rotate", fresh: `secret-${++fresh}` });
    const isOverlap = older !== null && older.untilMs !== null && older.untilMs > nowMs;
    must(statusOf(secrets, nowMs) === (isOverlap ? "overlap" : staged === null ? "idle" : "pending"), "the status is another");
    const signs = signingSecrets(secrets, nowMs);
    const expected = isOverlap && older !== null ? [current.secret, older.secret] : [current.secret];
    must(signs.join() === expected.join(), `${signs.join()} sign, not ${expected.join()}`);
    must(staged === null || !signs.includes(staged), "a secret signs that is only prepared");
  }
}
