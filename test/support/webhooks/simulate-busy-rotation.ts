import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import { CONCURRENCY } from "../../../src/domain/webhooks/delivery-state.ts";
import { AT_REST_WITHIN_MS, HOLD_MS } from "../../../src/domain/webhooks/hold.ts";
import { decideRotation, signingSecrets, type EndpointSecrets, type RotationStep } from "../../../src/domain/webhooks/secret-rotation.ts";

/** A name that resolves slowly and a receiver that answers at the last moment. */
const LONGEST_MS = 20_000;

export interface BusyRotation {
  /** Between the first time that it was asked for and its being done; null when it was not done within ten minutes. */
  readonly settledAfterMs: number | null;
  /** The longest that the owner waited before asking again. */
  readonly patienceMs: number;
}

/**
 * An endpoint that begins a delivery whenever it may, so that there always is one under way, and an owner who asks for another secret until it
 * is there.
 *
 * @param isHeld whether a refusal holds deliveries back, as it should
 * @throws an Error when a delivery that was begun with secrets taken out of force is still under way
 */
export function simulateBusyRotation(seed: number, isHeld: boolean): BusyRotation {
  const random = mulberry32(seed);
  let nowMs = 1_800_000_000_000;
  let heldUntilMs = 0;
  let secrets: EndpointSecrets = { secret: "old", staged: "new", previous: null, overlapEndsAtMs: null };
  let underWay: { signedBy: string; endsAtMs: number }[] = [];
  const step: RotationStep = random() < 0.5 ? { kind: "activate" } : { kind: "rotate", fresh: "new" };
  const patienceMs = random() * (HOLD_MS - 1_000);
  const durationMs = () => {
    const kind = random();
    return random() * (kind < 0.6 ? 300 : kind < 0.9 ? 5_000 : LONGEST_MS);
  };
  const begin = () => {
    if (heldUntilMs > nowMs) return;
    while (underWay.length < CONCURRENCY)
      underWay.push({ signedBy: signingSecrets(secrets, nowMs).join(), endsAtMs: nowMs + durationMs() });
  };
  /** Lets time go by, delivery by delivery. */
  const pass = (untilMs: number, isOver = () => false) => {
    while (nowMs < untilMs && !isOver()) {
      const ends = underWay.map(({ endsAtMs }) => endsAtMs);
      nowMs = Math.min(untilMs, ...ends, heldUntilMs > nowMs ? heldUntilMs : Infinity);
      underWay = underWay.filter(({ endsAtMs }) => endsAtMs > nowMs);
      begin();
    }
  };
  const isDone = () => {
    const decision = decideRotation(secrets, step, nowMs, underWay.length > 0);
    if (decision.kind !== "settled") return false;
    ({ secrets } = decision);
    return true;
  };

  begin();
  pass(nowMs + random() * 60_000);
  const askedAtMs = nowMs;
  for (;;) {
    if (nowMs > askedAtMs + 600_000) return { settledAfterMs: null, patienceMs };
    let done = isDone();
    if (!done) {
      if (isHeld) heldUntilMs = nowMs + HOLD_MS;
      pass(nowMs + AT_REST_WITHIN_MS, () => underWay.length === 0);
      done = isDone();
    }
    if (done) {
      if (underWay.length > 0) throw new Error(`${underWay.length} deliveries are under way with a secret that was taken out of force`);
      heldUntilMs = 0;
      begin();
      const expected = signingSecrets(secrets, nowMs).join();
      if (!underWay.every(({ signedBy }) => signedBy === expected)) throw new Error("what is begun is not signed by what is in force");
      return { settledAfterMs: nowMs - askedAtMs, patienceMs };
    }
    pass(nowMs + random() * patienceMs);
  }
}
