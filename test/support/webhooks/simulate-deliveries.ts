import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import {
  countStartableAttempts,
  decideOutcome,
  type AttemptResult,
  type EndpointState,
} from "../../../src/webhooks/rules/delivery-state.ts";

/** A delivery as in its row, with the facts that the simulation observes. */
interface Row {
  readonly id: number;
  status: "pending" | "processing" | "retry" | "delivered" | "dead_letter";
  attemptCount: number;
  nextAtMs: number | null;
  lease: number | null;
  leaseUntilMs: number | null;
  /** No receiver ever accepts it. */
  readonly isDoomed: boolean;
  /** When its last failure was recorded; null before the first failure and after a redelivery. */
  failedAtMs: number | null;
}

interface AttemptInProgress {
  readonly row: Row;
  readonly lease: number;
  readonly attemptCount: number;
  /** The endpoint's state at the claim. */
  readonly endpointAtClaim: EndpointState;
}

const NEW = { status: "pending", attemptCount: 0, lease: null, leaseUntilMs: null, failedAtMs: null } as const;
const LEASE_MS = 45_000;
const RESULTS: readonly AttemptResult[] = [
  ...[200, 204].map((status) => ({ kind: "accepted", status }) as const),
  ...[302, 401, 408, 429, 500].map((status) => ({ kind: "rejected", status, retryAfter: null }) as const),
  { kind: "rejected", status: 503, retryAfter: "600" },
  { kind: "timeout" },
  { kind: "connection_failed" },
  { kind: "address_refused" },
  { kind: "postponed" },
];

/**
 * Simulates one endpoint with its deliveries in memory. Rows are claimed and recorded as the SQL does, by
 * workers that die, are late and overlap. The invariants are checked after every step.
 *
 * @throws an Error that names the violated invariant
 */
export function simulateDeliveries(seed: number, steps: number): void {
  const random = mulberry32(seed);
  const chance = (probability: number) => random() < probability;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const rows: Row[] = [];
  let workers: AttemptInProgress[][] = [[], []];
  let endpoint: EndpointState = { status: "active", failureCount: 0, openUntilMs: null };
  let nowMs = 1_800_000_000_000;
  let leases = 0;
  /** Consecutive failures, counted independently. */
  let streak = 0;
  let receiverWorks = true;

  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };

  function claim(own: AttemptInProgress[]): void {
    const isOpen = endpoint.status !== "active" || (endpoint.openUntilMs !== null && endpoint.openUntilMs > nowMs);
    // A row that is claimed ahead starts, or is released, when another attempt has ended.
    const ahead = isOpen || endpoint.failureCount > 0 || chance(0.5) ? 0 : 4;
    const begins = countStartableAttempts(endpoint, own.length, nowMs) + ahead;
    const due = rows
      .filter(
        ({ status, nextAtMs, leaseUntilMs }) =>
          ((status === "pending" || status === "retry") && (nextAtMs ?? Infinity) <= nowMs) ||
          (status === "processing" && (leaseUntilMs ?? Infinity) <= nowMs),
      )
      .slice(0, begins);
    if (due.length > 0) {
      must(endpoint.status === "active", "an attempt began at an endpoint that is not active");
      must(endpoint.openUntilMs === null || endpoint.openUntilMs <= nowMs, "an attempt began behind an open circuit");
      must(
        due.length <= ahead || own.length + due.length <= ahead + (endpoint.failureCount > 0 ? 1 : 4),
        "too many attempts at once",
      );
    }
    for (const row of due) {
      must(row.failedAtMs === null || nowMs - row.failedAtMs >= 48_000, "two attempts within 48 seconds");
      must(row.attemptCount < 8, "a ninth attempt began");
      const lease = ++leases;
      Object.assign(row, { status: "processing", lease, leaseUntilMs: nowMs + LEASE_MS, nextAtMs: null });
      own.push({ row, lease, attemptCount: row.attemptCount, endpointAtClaim: endpoint });
    }
  }

  function finish(own: AttemptInProgress[]): void {
    const attempt = own.splice(Math.floor(random() * own.length), 1)[0];
    if (attempt === undefined) return;
    const { row, lease, attemptCount } = attempt;
    if (row.status !== "processing" || row.lease !== lease) return;
    if (chance(0.1)) return release(row);
    const result = chance(0.003)
      ? ({ kind: "rejected", status: 410, retryAfter: null } as const)
      : drawResult(receiverWorks && !row.isDoomed);
    const draw = random();
    // As the statement does: a decision based on an outdated endpoint state is made again.
    let endpointState = attempt.endpointAtClaim;
    if (JSON.stringify(endpointState) !== JSON.stringify(endpoint)) endpointState = endpoint;
    const { delivery, endpoint: next } = decideOutcome(result, attemptCount, endpointState, nowMs, draw);
    const wasActive = endpoint.status === "active";
    Object.assign(row, {
      status: delivery.status,
      attemptCount: delivery.attemptCount,
      nextAtMs: delivery.nextAttemptAtMs,
      lease: null,
      leaseUntilMs: null,
    });
    endpoint = {
      status: next.disabledReason === null ? endpoint.status : "disabled",
      failureCount: next.failureCount,
      openUntilMs: next.openUntilMs,
    };
    const failed = result.kind !== "accepted" && result.kind !== "postponed";
    row.failedAtMs = failed ? nowMs : row.failedAtMs;
    if (result.kind === "accepted") streak = 0;
    else if (failed && wasActive) streak++;
    const isGone = result.kind === "rejected" && result.status === 410;
    const disables = wasActive && failed && (streak === 8 || isGone);
    must(disables === (wasActive && endpoint.status === "disabled"), "disabled too early, too late or not at all");
    must(endpoint.failureCount === streak, "failures in a row were miscounted");
    must(
      (delivery.status === "delivered") === (result.kind === "accepted"),
      "a delivery is delivered exactly if it was accepted",
    );
    const isOver = (failed && row.attemptCount === 8) || (result.kind !== "accepted" && endpoint.status === "disabled");
    must(
      (delivery.status === "dead_letter") === isOver,
      "a delivery is dead-lettered exactly after eight attempts or at a disabled endpoint",
    );
    if (disables)
      for (const waiting of rows) if (waiting.status === "pending" || waiting.status === "retry") deadLetter(waiting);
  }

  /** A claimed row that was never started is due again, or dead-lettered if its endpoint is disabled. */
  function release(row: Row): void {
    if (endpoint.status === "disabled") return deadLetter(row);
    const status = row.attemptCount > 0 ? "retry" : "pending";
    Object.assign(row, { status, nextAtMs: nowMs, lease: null, leaseUntilMs: null });
  }

  function drawResult(accepts: boolean): AttemptResult {
    const candidates = RESULTS.filter(({ kind }) => (kind === "accepted") === accepts);
    return pick(candidates) ?? { kind: "timeout" };
  }

  const deadLetter = (row: Row) =>
    void Object.assign(row, { status: "dead_letter", nextAtMs: null, lease: null, leaseUntilMs: null });

  function act(): void {
    const what = random();
    const own = pick(workers) ?? [];
    if (what < 0.2) nowMs += Math.floor(random() * (chance(0.1) ? 90_000 : 5_000));
    else if (what < 0.4) claim(own);
    else if (what < 0.75) finish(own);
    else if (what < 0.9 && endpoint.status === "active")
      rows.push({ ...NEW, id: rows.length, isDoomed: chance(0.05), nextAtMs: nowMs });
    // A worker dies: its attempts in progress are never recorded.
    else if (what < 0.92) workers = workers.map((each) => (each === own ? [] : each));
    else if (what < 0.94) receiverWorks = chance(0.6);
    else if (what < 0.96) changeEndpoint();
    else redeliver();
  }

  /**
   * The owner disables the endpoint, which dead-letters the queue, or enables it, which resets the failure
   * count.
   */
  function changeEndpoint(): void {
    if (endpoint.status === "disabled") {
      endpoint = { status: "active", failureCount: 0, openUntilMs: null };
      streak = 0;
    } else if (chance(0.1)) {
      endpoint = { ...endpoint, status: "disabled" };
      for (const row of rows) if (row.status === "pending" || row.status === "retry") deadLetter(row);
    }
  }

  function redeliver(): void {
    const row = pick(rows.filter(({ status }) => status === "dead_letter"));
    if (row !== undefined && endpoint.status === "active")
      Object.assign(row, { status: "pending", attemptCount: 0, nextAtMs: nowMs, failedAtMs: null });
  }

  function check(): void {
    must(
      endpoint.status !== "active" || endpoint.failureCount < 8,
      "an active endpoint has failed eight times in a row",
    );
    must(
      endpoint.openUntilMs === null || (endpoint.failureCount >= 3 && endpoint.openUntilMs <= nowMs + 72_000),
      "a circuit is open without cause",
    );
    for (const { status, attemptCount, nextAtMs, lease } of rows.slice(-40)) {
      must(attemptCount <= 8, "more than eight attempts");
      must(
        (nextAtMs !== null) === (status === "pending" || status === "retry"),
        "a next attempt time does not match the status",
      );
      must((lease !== null) === (status === "processing"), "a lease without an attempt, or an attempt without a lease");
      must(nextAtMs === null || nextAtMs <= nowMs + 3_600_000, "an attempt is postponed for more than an hour");
    }
  }

  for (let step = 0; step < steps; step++) {
    act();
    check();
  }
  // Once receivers work, every delivery ends.
  workers = [[]];
  if (endpoint.status === "disabled") changeEndpoint();
  const own = workers[0] ?? [];
  const unfinished = () => rows.filter(({ status }) => status !== "delivered" && status !== "dead_letter");
  for (let round = 0; unfinished().length > 0; round++) {
    must(round < 10_000, `${unfinished().length} deliveries never end`);
    receiverWorks = true;
    nowMs += 10_000;
    claim(own);
    while (own.length > 0) finish(own);
    if (endpoint.status === "disabled") changeEndpoint();
    check();
  }
}
