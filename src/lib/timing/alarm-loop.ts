/** The alarm of a Durable Object. */
export interface AlarmStorage {
  getAlarm(): Promise<number | null>;
  setAlarm(atMs: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

export interface AlarmLoopOptions {
  readonly storage: AlarmStorage;
  readonly now: () => number;
  /** An alarm fires again after this time when a turn never returns. Longer than any turn. */
  readonly watchdogMs: number;
  /**
   * One turn of the loop.
   *
   * @returns when the next turn is due, in milliseconds since the epoch; null to sleep until a call of `wake`
   */
  readonly turn: () => Promise<number | null>;
  /** The pause after a turn that throws. */
  readonly retryMs: (error: unknown, failures: number) => number;
}

/** A turn that is due already starts after this, so that other calls of the object get in between. */
const SHORTEST_PAUSE_MS = 10;

/**
 * Runs turns from the alarm of a Durable Object. Exactly one turn runs at a time. An object that is evicted
 * or killed in a turn continues by the watchdog alarm. A wake-up during a turn starts another one after it,
 * so nothing that was announced before a turn ended is missed.
 */
export class AlarmLoop {
  readonly #options: AlarmLoopOptions;
  #isRunning = false;
  #isWoken = false;
  #failures = 0;

  constructor(options: AlarmLoopOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Starts a turn now, or another one after the turn that runs. */
  async wake(): Promise<void> {
    // An alarm that is set during its own handler counts as a retry of it, and may fire seconds late.
    if (this.#isRunning) this.#isWoken = true;
    else await this.#setAlarm(0);
  }

  /** Starts a turn at this time or earlier. During a turn the turn's result decides. */
  async wakeBy(atMs: number): Promise<void> {
    if (this.#isRunning) return;
    const alarm = await this.#options.storage.getAlarm();
    if (alarm === null || alarm > atMs) await this.#options.storage.setAlarm(atMs);
  }

  /** Restores a lost alarm; a healthy loop keeps its own. For a cron trigger. */
  async keepAlive(): Promise<void> {
    const { storage, now } = this.#options;
    const alarm = await storage.getAlarm();
    // A past-due alarm is set again: it is not certain to fire after an eviction.
    if (!this.#isRunning && (alarm === null || alarm < now())) await this.#setAlarm(0);
  }

  /** The object's alarm handler. Never throws: the runtime would retry on a schedule of its own. */
  async alarm(): Promise<void> {
    const { storage, now, watchdogMs, turn, retryMs } = this.#options;
    this.#isRunning = true;
    this.#isWoken = false;
    let nextAtMs: number | null;
    let hasFailed = false;
    try {
      await storage.setAlarm(now() + watchdogMs);
      nextAtMs = await turn();
      this.#failures = 0;
    } catch (error) {
      hasFailed = true;
      this.#failures += 1;
      nextAtMs = now() + retryMs(error, this.#failures);
    } finally {
      this.#isRunning = false;
    }
    // After a failure a wake-up waits too: it would meet the same failure.
    if (this.#isWoken && !hasFailed) await this.#setAlarm(0);
    else if (nextAtMs === null) await storage.deleteAlarm();
    else await storage.setAlarm(Math.max(nextAtMs, now() + SHORTEST_PAUSE_MS));
  }

  #setAlarm(delayMs: number): Promise<void> {
    return this.#options.storage.setAlarm(this.#options.now() + delayMs);
  }
}
