import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import { MAX_CONCURRENT_ATTEMPTS } from "../../../src/webhooks/rules/delivery-state.ts";
import { IDLE_WAIT_MS, HOLD_MS } from "../../../src/webhooks/rules/endpoint-hold.ts";
import {
  decideRotation,
  type EndpointSecrets,
  type RotationStep,
} from "../../../src/webhooks/rules/secret-rotation.ts";
import { signingSecrets } from "../oracles/signing-secrets.ts";

/** A name that resolves slowly and a receiver that responds at the last moment. */
const LONGEST_MS = 20_000;

export interface BusyRotation {
  /** Time from the first request to its completion; null when it was not completed within ten minutes. */
  readonly settledAfterMs: number | null;
  /** The longest pause of the owner between two requests. */
  readonly patienceMs: number;
}

/**
 * Simulates an endpoint that begins deliveries whenever it may, so that one is always in progress, and an
 * owner who repeats a rotation request until it succeeds.
 *
 * @param isHeld whether a refusal holds deliveries back, as it should
 * @throws an Error when a delivery signed with revoked secrets is still in progress
 */
export function simulateBusyRotation(seed: number, isHeld: boolean): BusyRotation {
  const random = mulberry32(seed);
  let nowMs = 1_800_000_000_000;
  let heldUntilMs = 0;
  let secrets: EndpointSecrets = { secret: "old", staged: "new", previous: null, overlapEndsAtMs: null };
  let inProgress: { signedBy: string; endsAtMs: number }[] = [];
  const step: RotationStep = random() < 0.5 ? { kind: "activate" } : { kind: "rotate", fresh: "new" };
  const patienceMs = random() * (HOLD_MS - 1_000);
  const durationMs = () => {
    const kind = random();
    return random() * (kind < 0.6 ? 300 : kind < 0.9 ? 5_000 : LONGEST_MS);
  };
  const startDeliveries = () => {
    if (heldUntilMs > nowMs) return;
    while (inProgress.length < MAX_CONCURRENT_ATTEMPTS)
      inProgress.push({ signedBy: signingSecrets(secrets, nowMs).join(), endsAtMs: nowMs + durationMs() });
  };
  /** Advances the time, delivery by delivery. */
  const advanceTo = (untilMs: number, isOver = () => false) => {
    while (nowMs < untilMs && !isOver()) {
      const ends = inProgress.map(({ endsAtMs }) => endsAtMs);
      nowMs = Math.min(untilMs, ...ends, heldUntilMs > nowMs ? heldUntilMs : Infinity);
      inProgress = inProgress.filter(({ endsAtMs }) => endsAtMs > nowMs);
      startDeliveries();
    }
  };
  const isDone = () => {
    const decision = decideRotation(secrets, step, nowMs, inProgress.length > 0);
    if (decision.kind !== "settled") return false;
    ({ secrets } = decision);
    return true;
  };

  startDeliveries();
  advanceTo(nowMs + random() * 60_000);
  const requestedAtMs = nowMs;
  for (;;) {
    if (nowMs > requestedAtMs + 600_000) return { settledAfterMs: null, patienceMs };
    let done = isDone();
    if (!done) {
      if (isHeld) heldUntilMs = nowMs + HOLD_MS;
      advanceTo(nowMs + IDLE_WAIT_MS, () => inProgress.length === 0);
      done = isDone();
    }
    if (done) {
      if (inProgress.length > 0)
        throw new Error(`${inProgress.length} deliveries are in progress with a revoked secret`);
      heldUntilMs = 0;
      startDeliveries();
      const expected = signingSecrets(secrets, nowMs).join();
      if (!inProgress.every(({ signedBy }) => signedBy === expected))
        throw new Error("a new delivery is not signed with the current secrets");
      return { settledAfterMs: nowMs - requestedAtMs, patienceMs };
    }
    advanceTo(nowMs + random() * patienceMs);
  }
}
