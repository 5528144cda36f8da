import type { Database } from "../../db/client.ts";
import type { DeliveryOutcome, EndpointState } from "../rules/delivery-state.ts";
import { systemClock } from "../../lib/timing/clock.ts";
import { WakeSignal } from "../../lib/timing/wake-signal.ts";
import { describeError } from "../../platform/log/console-log.ts";
import type { Log } from "../../platform/log/log.ts";
import { recordAttempts, type EndedAttempt } from "./record-attempts.ts";

export interface RecorderSettings {
  readonly db: Database;
  readonly log: Log;
  readonly endpointId: string;
  /** Whether more attempts are about to end, so that recording may wait for them. */
  readonly isMoreExpected: () => boolean;
  /** Called for each recorded attempt. */
  readonly onOutcome: (outcome: DeliveryOutcome, attempt: EndedAttempt) => void;
  /** Called when a record statement has finished, successful or not. */
  readonly onFlush: () => void;
}

/**
 * While more attempts are expected, a batch is recorded at this size or after this time. Attempts that are
 * lost in that time are made again.
 */
const MAX_BATCH = 60;
const GATHER_MS = 500;
/**
 * Delays before a failed record statement is retried. After the last one the batch is given up, and its
 * attempts are made again when their leases have expired.
 */
const RETRY_DELAYS_MS = [250, 1_000, 4_000];

/**
 * Records attempts at one endpoint in the order in which they end, one statement at a time. A failed attempt
 * is recorded at once, accepted ones in batches.
 */
export class AttemptRecorder {
  readonly #settings: RecorderSettings;
  #endpointState: EndpointState = { status: "active", failureCount: 0, openUntilMs: null };
  #ended: EndedAttempt[] = [];
  #recording = 0;
  #running: Promise<void> | null = null;
  readonly #flushSignal = new WakeSignal();

  constructor(settings: RecorderSettings) {
    this.#settings = settings;
  }

  /** Number of ended attempts that are not recorded yet. */
  get pendingCount(): number {
    return this.#ended.length + this.#recording;
  }

  /** Whether the endpoint was not active at the last record. */
  get isStopped(): boolean {
    return this.#endpointState.status !== "active";
  }

  /**
   * Takes over the endpoint's state from a claim. Ignored while a record runs, because the record reads a
   * newer state.
   */
  observe(endpointState: EndpointState): void {
    if (this.#running === null) this.#endpointState = endpointState;
  }

  record(attempt: EndedAttempt): void {
    this.#ended.push(attempt);
    const mustFlush = this.#ended.length >= MAX_BATCH || attempt.result.kind !== "accepted";
    if (mustFlush || !this.#settings.isMoreExpected()) this.#flushSignal.set();
    this.#running ??= this.#run();
  }

  /** Resolves when every ended attempt has been recorded or given up. */
  async idle(): Promise<void> {
    this.#flushSignal.set();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#ended.length > 0) {
      if (this.#settings.isMoreExpected()) await this.#flushSignal.wait(GATHER_MS);
      this.#flushSignal.takeSet();
      const attempts = this.#ended.splice(0);
      this.#recording = attempts.length;
      await this.#store(attempts);
      this.#recording = 0;
      this.#settings.onFlush();
    }
    // In the same tick as the last check: otherwise an attempt that ends in between would never be recorded.
    this.#running = null;
  }

  /** Never throws. */
  async #store(attempts: readonly EndedAttempt[]): Promise<void> {
    const { db, log, endpointId, onOutcome } = this.#settings;
    for (const waitMs of [...RETRY_DELAYS_MS, null]) {
      try {
        const { outcomes, endpointState } = await recordAttempts(db, endpointId, attempts, this.#endpointState);
        this.#endpointState = endpointState;
        for (const [index, attempt] of attempts.entries()) {
          const outcome = outcomes[index] ?? null;
          if (outcome !== null) onOutcome(outcome, attempt);
        }
        return;
      } catch (error) {
        const fields = { endpoint_id: endpointId, attempts: attempts.length, error: describeError(error) };
        log.error("webhook.attempt_record_failed", { ...fields, will_retry: waitMs !== null });
        if (waitMs !== null) await systemClock.wait(waitMs);
      }
    }
  }
}
