import type { Database } from "../../db/client.ts";
import { START_WITHIN_MS, decidePrefetch, mustClaimAhead } from "../rules/claim-prefetch.ts";
import { MAX_CONCURRENT_ATTEMPTS, type DeliveryOutcome, type AttemptResult } from "../rules/delivery-state.ts";
import type { WakeSignal } from "../../lib/timing/wake-signal.ts";
import { describeError } from "../../platform/log/console-log.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { attemptDelivery, type AttemptSettings } from "./attempt-delivery.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { claimDeliveries, type Claim, type ClaimedDelivery, type ClaimedEndpoint } from "./claim-deliveries.ts";
import type { EndedAttempt } from "./record-attempts.ts";
import { releaseDeliveries } from "./release-deliveries.ts";

export interface DrainSettings extends AttemptSettings {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  /** 0 to 1, 1 excluded. */
  readonly random: () => number;
  readonly newLease: () => string;
  /** Set when new work may be due, and after every attempt and every record. */
  readonly wakeSignal: WakeSignal;
  /** Called when a delivery is scheduled for a retry. */
  readonly onRetry: (delayMs: number) => void;
  /** Called with whether the endpoint is active, whenever a statement returns it. */
  readonly onEndpointState: (isActive: boolean) => void;
  /** End of the current hold, Unix milliseconds; in the past or 0 without one. */
  readonly holdUntilMs: () => number;
}

/** No attempt begins while this many are not recorded yet. */
const MAX_UNRECORDED = 100;
/**
 * With two DNS queries per attempt and its statements, a run stays below a Worker's limit of 10,000
 * subrequests.
 */
const MAX_ATTEMPTS = 1_000;

/** A claimed delivery that has not begun. */
interface ReadyDelivery {
  readonly delivery: ClaimedDelivery;
  /** As of its own claim: the next claim may see other secrets. */
  readonly endpoint: ClaimedEndpoint;
  readonly claimedAtMs: number;
}

/** The state of one run for one endpoint: claimed deliveries, attempts in flight, and attempts to record. */
export class EndpointRun {
  readonly #endpointId: string;
  readonly #settings: DrainSettings;
  readonly #recorder: AttemptRecorder;
  readonly #inFlight = new Set<Promise<void>>();
  /** Oldest first. */
  #ready: ReadyDelivery[] = [];
  /** When the next unclaimed delivery was due at the last claim, Unix milliseconds; null when none was pending. */
  #nextDueAtMs: number | null = null;
  /** The claim that runs beside attempts. */
  #claimingAhead: Promise<void> | null = null;
  #claimFailure: { readonly error: unknown } | null = null;
  /** Time of the last claim; null before the first, and after part of it had to be released. */
  #claimedAtMs: number | null = null;
  #ahead = 0;
  #begunCount = 0;
  /** The number of attempts that have ended since the last claim. */
  #endedCount = 0;
  /** Whether an attempt since the last claim failed: the number that may begin must then be claimed again. */
  #hasFailed = false;
  /** Whether the endpoint was not active at the last claim. */
  #isInactive = false;

  constructor(endpointId: string, settings: DrainSettings) {
    const { db, log, wakeSignal } = settings;
    this.#endpointId = endpointId;
    this.#settings = settings;
    this.#recorder = new AttemptRecorder({
      db,
      log,
      endpointId,
      isMoreExpected: () => this.#isMoreExpected(),
      onOutcome: (outcome, attempt) => this.#report(outcome, attempt),
      onFlush: () => wakeSignal.set(),
    });
  }

  /** Whether the run has begun its maximum number of attempts. */
  isSpent = (): boolean => this.#begunCount >= MAX_ATTEMPTS;

  isIdle = (): boolean => !this.#isMoreExpected() && this.#recorder.pendingCount === 0;

  /** When the next unclaimed delivery is due, Unix milliseconds; null when none is pending. */
  nextDueAtMs = (): number | null => this.#nextDueAtMs;

  /** Whether claimed deliveries must be released: the endpoint fails, was disabled, or is too slow. */
  mustRelease(): boolean {
    const [oldest] = this.#ready;
    if (oldest === undefined) return false;
    const isStale = this.#settings.now() - oldest.claimedAtMs >= START_WITHIN_MS;
    return this.#hasFailed || this.#isInactive || this.#recorder.isStopped || isStale;
  }

  async release(): Promise<void> {
    if (this.#ready.length === 0) return;
    this.#claimedAtMs = null;
    const deliveries = this.#ready.splice(0).map(({ delivery }) => delivery);
    await releaseDeliveries(this.#settings.db, this.#endpointId, deliveries);
  }

  /**
   * Claims if more deliveries may begin. Waits for the claim while nothing is ready; a claim ahead runs beside
   * the attempts. A claim made before a failure is recorded would take too many deliveries.
   *
   * @throws errors of claiming, also of an earlier claim ahead
   */
  async claimIfDue(): Promise<void> {
    if (this.#claimFailure !== null) throw this.#claimFailure.error;
    if (this.#claimingAhead !== null) return;
    const isMoreDue = (this.#nextDueAtMs ?? Infinity) <= this.#settings.now() && !this.#hasFailed;
    if (this.#ready.length > 0) {
      if (isMoreDue && mustClaimAhead(this.#ready.length, this.#ahead) && this.#prefetchLimit() > 0) this.#claimAhead();
    } else if (this.#inFlight.size < MAX_CONCURRENT_ATTEMPTS && (isMoreDue || this.#recorder.pendingCount === 0)) {
      // A claim ahead may have read the endpoint before a record that has ended since.
      const claim = await this.#claim();
      if (claim !== null) this.#recorder.observe(claim.endpoint.endpointState);
    }
  }

  #claimAhead(): void {
    this.#claimingAhead = this.#claim()
      .then(
        () => undefined,
        (error: unknown) => {
          this.#claimFailure = { error };
        },
      )
      .finally(() => {
        this.#claimingAhead = null;
        this.#settings.wakeSignal.set();
      });
  }

  /** How many deliveries may be claimed, beyond those that begin at once, until the run is spent. */
  #prefetchLimit = (): number =>
    Math.max(0, MAX_ATTEMPTS - this.#begunCount - this.#ready.length - MAX_CONCURRENT_ATTEMPTS);

  #isMoreExpected = (): boolean => this.#inFlight.size > 0 || this.#ready.length > 0 || this.#claimingAhead !== null;

  async #claim(): Promise<Claim | null> {
    const { db, now, newLease, onEndpointState } = this.#settings;
    const atMs = now();
    this.#ahead = decidePrefetch(
      this.#endedCount,
      this.#hasFailed || this.#claimedAtMs === null ? null : atMs - this.#claimedAtMs,
    );
    this.#endedCount = 0;
    this.#hasFailed = false;
    const claim = await claimDeliveries(
      db,
      this.#endpointId,
      {
        started: this.#inFlight.size + this.#ready.length,
        prefetch: Math.min(this.#ahead, this.#prefetchLimit()),
      },
      newLease(),
      new Date(atMs),
    );
    this.#claimedAtMs = atMs;
    this.#nextDueAtMs = nextDueAfter(claim);
    this.#isInactive = claim === null;
    onEndpointState(claim !== null);
    if (claim === null) return null;
    for (const delivery of claim.deliveries)
      this.#ready.push({ delivery, endpoint: claim.endpoint, claimedAtMs: atMs });
    // Otherwise claims that take nothing would follow each other while deliveries are ready.
    if (claim.deliveries.length === 0) this.#ahead = 0;
    return claim;
  }

  /** Begins claimed deliveries up to the concurrency limit. */
  begin(): void {
    while (
      this.#inFlight.size < MAX_CONCURRENT_ATTEMPTS &&
      this.#recorder.pendingCount < MAX_UNRECORDED &&
      !this.isSpent() &&
      !this.#hasFailed
    ) {
      const ready = this.#ready.shift();
      if (ready === undefined) return;
      this.#begunCount++;
      const attempt = this.#attempt(ready).then((ended) => {
        this.#inFlight.delete(attempt);
        this.#endedCount++;
        this.#recorder.record(ended);
        this.#settings.wakeSignal.set();
      });
      this.#inFlight.add(attempt);
    }
  }

  /** Waits for the claim and the attempts in flight, and releases the deliveries that have not begun. */
  async end(): Promise<void> {
    await this.#claimingAhead;
    await Promise.allSettled(this.#inFlight);
    await this.#recorder.idle();
    await this.release();
  }

  /** Never throws. A failure on our side postpones the delivery and does not count against the receiver. */
  async #attempt({ delivery, endpoint }: ReadyDelivery): Promise<EndedAttempt> {
    const { log, metrics, now, random } = this.#settings;
    const result = await attemptDelivery(delivery, endpoint, this.#settings).catch((error: unknown): AttemptResult => {
      log.error("webhook.delivery_postponed", { delivery_id: delivery.id, error: describeError(error) });
      return { kind: "postponed" };
    });
    metrics.write("delivery", { outcome: result.kind });
    if (result.kind !== "accepted") this.#hasFailed = true;
    return { delivery, result, endedAtMs: now(), random: random() };
  }

  #report({ delivery, endpoint }: DeliveryOutcome, { endedAtMs }: EndedAttempt): void {
    const { log, onRetry, onEndpointState } = this.#settings;
    if (delivery.nextAttemptAtMs !== null) onRetry(delivery.nextAttemptAtMs - endedAtMs);
    if (endpoint.disabledReason !== null) {
      log.warn("webhook.endpoint_disabled", { endpoint_id: this.#endpointId, reason: endpoint.disabledReason });
      onEndpointState(false);
    }
  }
}

/** Null when nothing is pending, or the endpoint is not active. */
function nextDueAfter(claim: Claim | null): number | null {
  if (claim === null || claim.nextDueAtMs === null) return null;
  return Math.max(claim.nextDueAtMs, claim.endpoint.endpointState.openUntilMs ?? 0);
}
