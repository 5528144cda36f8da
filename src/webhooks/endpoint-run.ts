import type { Database } from "../db/client.ts";
import { BEGIN_WITHIN_MS, decideAhead } from "../domain/webhooks/claim-ahead.ts";
import { CONCURRENCY, type AttemptOutcome, type AttemptResult } from "../domain/webhooks/delivery-state.ts";
import type { Bell } from "../lib/bell.ts";
import { describeError } from "../lib/console-log.ts";
import type { Log } from "../lib/log.ts";
import { attemptDelivery, type AttemptSettings } from "./attempt-delivery.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { claimDeliveries, type Claim, type ClaimedDelivery, type ClaimedEndpoint } from "./claim-deliveries.ts";
import type { EndedAttempt } from "./record-attempts.ts";
import { releaseDeliveries } from "./release-deliveries.ts";

export interface DrainSettings extends AttemptSettings {
  readonly db: Database;
  readonly log: Log;
  /** 0 to 1, 1 excluded. */
  readonly random: () => number;
  readonly newLease: () => string;
  /** Rung when the endpoint may have got something to do, and after every attempt and every record. */
  readonly bell: Bell;
  /** Told when a delivery is to be attempted again. */
  readonly onRetry: (delayMs: number) => void;
  /** Told whether the endpoint is active, whenever that is seen. */
  readonly onSeen: (isActive: boolean) => void;
  /** Until when no delivery is to begin; past or 0 while any may. */
  readonly heldUntilMs: () => number;
}

/** No attempt begins while so many wait to be recorded. */
const MOST_UNRECORDED = 100;
/** With two look-ups each, and its statements, a run stays below the 1,000 requests that one invocation of a Worker may always make. */
const MOST_ATTEMPTS = 250;

/** What is being delivered to one endpoint: what is claimed and not begun, what is under way, and what is to be recorded. */
export class EndpointRun {
  readonly #endpointId: string;
  readonly #settings: DrainSettings;
  readonly #recorder: AttemptRecorder;
  readonly #underWay = new Set<Promise<void>>();
  #claim: Claim | null = null;
  /** Claimed and not begun, oldest first. */
  #ready: ClaimedDelivery[] = [];
  /** When the last claim was made; null before the first, and once some of it had to be given back. */
  #claimedAtMs: number | null = null;
  #ahead = 0;
  #begun = 0;
  /** Since the last claim something was not accepted: how many may begin is to be asked for again. */
  #hasFailed = false;

  constructor(endpointId: string, settings: DrainSettings) {
    const { db, log, bell } = settings;
    this.#endpointId = endpointId;
    this.#settings = settings;
    const onOutcome = (outcome: AttemptOutcome, attempt: EndedAttempt) => this.#report(outcome, attempt);
    const isMoreToCome = () => this.#ready.length > 0;
    this.#recorder = new AttemptRecorder({ db, log, endpointId, isMoreToCome, onOutcome, onTurn: () => bell.ring() });
  }

  /** Whether it has begun as many attempts as one run may. */
  isSpent = (): boolean => this.#begun >= MOST_ATTEMPTS;

  isAtRest = (): boolean => this.#underWay.size === 0 && this.#ready.length === 0 && this.#recorder.waiting === 0;

  /** When something is due that was not claimed. */
  nextDueAtMs(): number | null {
    if (this.#claim === null || this.#claim.nextDueAtMs === null) return null;
    return Math.max(this.#claim.nextDueAtMs, this.#claim.endpoint.standing.openUntilMs ?? 0);
  }

  /** Whether what is claimed is not to be begun any more: the endpoint fails, was stopped, or has become slow. */
  mustRelease(): boolean {
    const isStale = this.#claimedAtMs !== null && this.#settings.now() - this.#claimedAtMs >= BEGIN_WITHIN_MS;
    return this.#ready.length > 0 && (this.#hasFailed || this.#recorder.isStopped || isStale);
  }

  async release(): Promise<void> {
    if (this.#ready.length === 0) return;
    this.#claimedAtMs = null;
    await releaseDeliveries(this.#settings.db, this.#endpointId, this.#ready.splice(0));
  }

  /** Whether another claim may find something. One that is made before a failure has been recorded would take too many. */
  mayClaim(): boolean {
    if (this.#ready.length > 0 || this.#underWay.size >= CONCURRENCY) return false;
    const isMoreDue = (this.#claim?.nextDueAtMs ?? Infinity) <= this.#settings.now();
    return this.#recorder.waiting === 0 || (isMoreDue && !this.#hasFailed);
  }

  async claim(): Promise<void> {
    const { db, now, newLease } = this.#settings;
    const atMs = now();
    this.#ahead = decideAhead(this.#ahead, this.#hasFailed || this.#claimedAtMs === null ? null : atMs - this.#claimedAtMs);
    this.#hasFailed = false;
    const underWay = this.#underWay.size;
    const ahead = Math.min(this.#ahead, Math.max(0, MOST_ATTEMPTS - this.#begun - CONCURRENCY));
    this.#claim = await claimDeliveries(db, this.#endpointId, { underWay, ahead }, newLease(), new Date(atMs));
    this.#claimedAtMs = atMs;
    this.#settings.onSeen(this.#claim !== null);
    if (this.#claim === null) return;
    this.#ready = [...this.#claim.deliveries];
    this.#recorder.see(this.#claim.endpoint.standing);
  }

  /** Begins as many of the claimed as may be under way at once. */
  begin(): void {
    while (this.#claim !== null && this.#underWay.size < CONCURRENCY && this.#recorder.waiting < MOST_UNRECORDED && !this.isSpent()) {
      const delivery = this.#hasFailed ? undefined : this.#ready.shift();
      if (delivery === undefined) return;
      this.#begun++;
      const attempt = this.#attempt(delivery, this.#claim.endpoint).finally(() => {
        this.#underWay.delete(attempt);
        this.#settings.bell.ring();
      });
      this.#underWay.add(attempt);
    }
  }

  /** Waits for what is under way, and gives back what was not begun. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await this.#recorder.idle();
    await this.release();
  }

  /** Never throws. What fails on our side is put off, and never counted against a receiver. */
  async #attempt(delivery: ClaimedDelivery, endpoint: ClaimedEndpoint): Promise<void> {
    const { log, now, random } = this.#settings;
    const result = await attemptDelivery(delivery, endpoint, this.#settings).catch((error: unknown): AttemptResult => {
      log.error("webhook delivery put off", { delivery_id: delivery.id, error: describeError(error) });
      return { kind: "postponed" };
    });
    if (result.kind !== "accepted") this.#hasFailed = true;
    this.#recorder.record({ delivery, result, endedAtMs: now(), random: random() });
  }

  #report({ delivery, endpoint }: AttemptOutcome, { endedAtMs }: EndedAttempt): void {
    const { log, onRetry, onSeen } = this.#settings;
    if (delivery.nextAttemptAtMs !== null) onRetry(delivery.nextAttemptAtMs - endedAtMs);
    if (endpoint.disabledReason !== null) {
      log.warn("webhook endpoint disabled", { endpoint_id: this.#endpointId, reason: endpoint.disabledReason });
      onSeen(false);
    }
  }
}
