import type { Database } from "../../db/client.ts";
import { START_WITHIN_MS, decidePrefetch } from "../rules/claim-prefetch.ts";
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
 * With two DNS queries per attempt and its statements, a run stays below a Worker's limit of 1,000
 * subrequests.
 */
const MAX_ATTEMPTS = 250;

/** The state of one run for one endpoint: claimed deliveries, attempts in flight, and attempts to record. */
export class EndpointRun {
  readonly #endpointId: string;
  readonly #settings: DrainSettings;
  readonly #recorder: AttemptRecorder;
  readonly #inFlight = new Set<Promise<void>>();
  #claim: Claim | null = null;
  /** Claimed deliveries that have not begun, oldest first. */
  #ready: ClaimedDelivery[] = [];
  /** Time of the last claim; null before the first, and after part of it had to be released. */
  #claimedAtMs: number | null = null;
  #ahead = 0;
  #begunCount = 0;
  /** Whether an attempt since the last claim failed: the number that may begin must then be claimed again. */
  #hasFailed = false;

  constructor(endpointId: string, settings: DrainSettings) {
    const { db, log, wakeSignal } = settings;
    this.#endpointId = endpointId;
    this.#settings = settings;
    const onOutcome = (outcome: DeliveryOutcome, attempt: EndedAttempt) => this.#report(outcome, attempt);
    const isMoreToCome = () => this.#ready.length > 0;
    this.#recorder = new AttemptRecorder({
      db,
      log,
      endpointId,
      isMoreExpected: isMoreToCome,
      onOutcome,
      onFlush: () => wakeSignal.set(),
    });
  }

  /** Whether the run has begun its maximum number of attempts. */
  isSpent = (): boolean => this.#begunCount >= MAX_ATTEMPTS;

  isIdle = (): boolean => this.#inFlight.size === 0 && this.#ready.length === 0 && this.#recorder.pendingCount === 0;

  /** When the next unclaimed delivery is due, Unix milliseconds; null when none is pending. */
  nextDueAtMs(): number | null {
    if (this.#claim === null || this.#claim.nextDueAtMs === null) return null;
    return Math.max(this.#claim.nextDueAtMs, this.#claim.endpoint.endpointState.openUntilMs ?? 0);
  }

  /** Whether claimed deliveries must be released: the endpoint fails, was disabled, or is too slow. */
  mustRelease(): boolean {
    const isStale = this.#claimedAtMs !== null && this.#settings.now() - this.#claimedAtMs >= START_WITHIN_MS;
    return this.#ready.length > 0 && (this.#hasFailed || this.#recorder.isStopped || isStale);
  }

  async release(): Promise<void> {
    if (this.#ready.length === 0) return;
    this.#claimedAtMs = null;
    await releaseDeliveries(this.#settings.db, this.#endpointId, this.#ready.splice(0));
  }

  /** Whether to claim again. A claim made before a failure is recorded would take too many deliveries. */
  mayClaim(): boolean {
    if (this.#ready.length > 0 || this.#inFlight.size >= MAX_CONCURRENT_ATTEMPTS) return false;
    const isMoreDue = (this.#claim?.nextDueAtMs ?? Infinity) <= this.#settings.now();
    return this.#recorder.pendingCount === 0 || (isMoreDue && !this.#hasFailed);
  }

  async claim(): Promise<void> {
    const { db, now, newLease } = this.#settings;
    const atMs = now();
    this.#ahead = decidePrefetch(
      this.#ahead,
      this.#hasFailed || this.#claimedAtMs === null ? null : atMs - this.#claimedAtMs,
    );
    this.#hasFailed = false;
    const inFlight = this.#inFlight.size;
    const ahead = Math.min(this.#ahead, Math.max(0, MAX_ATTEMPTS - this.#begunCount - MAX_CONCURRENT_ATTEMPTS));
    this.#claim = await claimDeliveries(
      db,
      this.#endpointId,
      { inFlight: inFlight, prefetch: ahead },
      newLease(),
      new Date(atMs),
    );
    this.#claimedAtMs = atMs;
    this.#settings.onEndpointState(this.#claim !== null);
    if (this.#claim === null) return;
    this.#ready = [...this.#claim.deliveries];
    this.#recorder.observe(this.#claim.endpoint.endpointState);
  }

  /** Begins claimed deliveries up to the concurrency limit. */
  begin(): void {
    while (
      this.#claim !== null &&
      this.#inFlight.size < MAX_CONCURRENT_ATTEMPTS &&
      this.#recorder.pendingCount < MAX_UNRECORDED &&
      !this.isSpent()
    ) {
      const delivery = this.#hasFailed ? undefined : this.#ready.shift();
      if (delivery === undefined) return;
      this.#begunCount++;
      const attempt = this.#attempt(delivery, this.#claim.endpoint).finally(() => {
        this.#inFlight.delete(attempt);
        this.#settings.wakeSignal.set();
      });
      this.#inFlight.add(attempt);
    }
  }

  /** Waits for the attempts in flight and releases the deliveries that have not begun. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
    await this.#recorder.idle();
    await this.release();
  }

  /** Never throws. A failure on our side postpones the delivery and does not count against the receiver. */
  async #attempt(delivery: ClaimedDelivery, endpoint: ClaimedEndpoint): Promise<void> {
    const { log, metrics, now, random } = this.#settings;
    const result = await attemptDelivery(delivery, endpoint, this.#settings).catch((error: unknown): AttemptResult => {
      log.error("webhook.delivery_postponed", { delivery_id: delivery.id, error: describeError(error) });
      return { kind: "postponed" };
    });
    metrics.write("delivery", { outcome: result.kind });
    if (result.kind !== "accepted") this.#hasFailed = true;
    this.#recorder.record({ delivery, result, endedAtMs: now(), random: random() });
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
