import type { Database } from "../db/client.ts";
import type { AttemptOutcome, EndpointState } from "../domain/webhooks/delivery-state.ts";
import { Bell } from "../lib/bell.ts";
import { describeError } from "../lib/console-log.ts";
import type { Log } from "../lib/log.ts";
import { recordAttempts, type EndedAttempt } from "./record-attempts.ts";

export interface RecorderSettings {
  readonly db: Database;
  readonly log: Log;
  readonly endpointId: string;
  /** Whether more attempts are about to end. */
  readonly isMoreToCome: () => boolean;
  /** Told of each attempt that has been recorded. */
  readonly onOutcome: (outcome: AttemptOutcome, attempt: EndedAttempt) => void;
  /** Told when a statement has ended. */
  readonly onTurn: () => void;
}

/** While more are to come, so many are recorded together, or those of so long. What is killed within that time is made again. */
const ENOUGH = 60;
const GATHER_MS = 200;
/** Until a record that failed is made again; after the last it is given up, and the attempts are made again when their leases have ended. */
const WAITS_MS = [250, 1_000, 4_000];

/**
 * Records attempts at one endpoint in the order in which they end, one statement after the other: an attempt alone and one that failed at once,
 * many together.
 */
export class AttemptRecorder {
  readonly #settings: RecorderSettings;
  #standing: EndpointState = { status: "active", failureCount: 0, openUntilMs: null };
  #ended: EndedAttempt[] = [];
  #underWay = 0;
  #turns: Promise<void> | null = null;
  readonly #enough = new Bell();

  constructor(settings: RecorderSettings) {
    this.#settings = settings;
  }

  /** How many are not recorded yet. */
  get waiting(): number {
    return this.#ended.length + this.#underWay;
  }

  /** Whether the last record found that nothing is to be posted to the endpoint. */
  get isStopped(): boolean {
    return this.#standing.status !== "active";
  }

  /** The endpoint as a claim has seen it. While a record is made, that will see it later. */
  see(standing: EndpointState): void {
    if (this.#turns === null) this.#standing = standing;
  }

  record(attempt: EndedAttempt): void {
    this.#ended.push(attempt);
    if (this.#ended.length >= ENOUGH || attempt.result.kind !== "accepted") this.#enough.ring();
    this.#turns ??= this.#run();
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    this.#enough.ring();
    await this.#turns;
  }

  async #run(): Promise<void> {
    while (this.#ended.length > 0) {
      if (this.#settings.isMoreToCome()) await this.#enough.next(GATHER_MS);
      this.#enough.wasRung();
      const attempts = this.#ended.splice(0);
      this.#underWay = attempts.length;
      await this.#store(attempts);
      this.#underWay = 0;
      this.#settings.onTurn();
    }
    // In the same moment in which nothing waits: an attempt that ends a moment later would find this run, and nobody would record it.
    this.#turns = null;
  }

  /** Never throws. */
  async #store(attempts: readonly EndedAttempt[]): Promise<void> {
    const { db, log, endpointId, onOutcome } = this.#settings;
    for (const waitMs of [...WAITS_MS, null]) {
      try {
        const { outcomes, standing } = await recordAttempts(db, endpointId, attempts, this.#standing);
        this.#standing = standing;
        for (const [index, attempt] of attempts.entries()) {
          const outcome = outcomes[index] ?? null;
          if (outcome !== null) onOutcome(outcome, attempt);
        }
        return;
      } catch (error) {
        const facts = { endpoint_id: endpointId, attempts: attempts.length, error: describeError(error) };
        log.error("webhook attempts not recorded", { ...facts, again: waitMs !== null });
        if (waitMs !== null) await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }
}
