import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase, type Database } from "../../src/db/client.ts";
import { beat, recordFailure } from "../../src/db/heartbeats.ts";
import type { Env } from "../../src/env.ts";
import { Bell } from "../../src/lib/bell.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import type { WebhookMessage } from "../../src/messages/webhooks.ts";
import { fanOut } from "../../src/webhooks/fan-out.ts";
import { readWaiting } from "../../src/webhooks/read-waiting.ts";
import { listOverdueAttempts, pruneAttempts } from "../../src/webhooks/sweep-attempts.ts";
import { listOverdueEndpoints, pruneDeliveries } from "../../src/webhooks/sweep.ts";
import { decideRest, SWEEP_MS } from "./decide-rest.ts";

/** One alarm makes deliveries for at most this long. */
const RUN_MS = 5_000;
/** The alarm that fires should this one never return. */
const WATCHDOG_MS = 60_000;
const FAILED_REST_MS = 5_000;
const PRUNE_MS = 3_600_000;
/** What is old is taken away for at most so long in one sweep: events wait for it. */
const PRUNING_MS = 1_000;
/** The most messages a queue takes at once. */
const MESSAGES_AT_ONCE = 100;

/**
 * Turns the outbox's events into deliveries and wakes the endpoints they are for. All progress is in Postgres; what it wakes nobody for,
 * because it is killed in between, the next sweep finds.
 */
export class WebhookDispatcher extends DurableObject<Env> {
  readonly #bell = new Bell();
  #isRunning = false;
  /** Looks in a row that found events held back and no others. */
  #inVain = 0;
  /** Not kept: an object that begins anew sweeps at once. */
  #sweptAtMs = 0;
  #prunedAtMs = 0;

  /** Makes sure the loop runs, and soon. Called by cron each minute, and by whoever has published events. */
  async wake(): Promise<void> {
    this.#inVain = 0;
    // An alarm that is moved while it runs is taken for one that failed, and may come seconds later.
    if (this.#isRunning) return this.#bell.ring();
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    this.#isRunning = true;
    await this.ctx.storage.setAlarm(Date.now() + WATCHDOG_MS);
    this.#bell.wasRung();
    const restMs = await this.#run();
    this.#isRunning = false;
    const isWanted = this.#bell.wasRung() && restMs !== null;
    await this.ctx.storage.setAlarm(Date.now() + (isWanted ? 0 : (restMs ?? FAILED_REST_MS)));
  }

  /** @returns how long to rest, in milliseconds; null when it failed */
  async #run(): Promise<number | null> {
    const db = openDatabase(parseConfig(this.env));
    try {
      const more = await this.#fanOut(db, Date.now() + RUN_MS);
      await this.#sweep(db);
      const waiting = await readWaiting(db);
      this.#inVain = waiting.isAnyEvent && !more ? this.#inVain + 1 : 0;
      return decideRest({ more, ...waiting }, this.#inVain);
    } catch (error) {
      const message = describeError(error);
      consoleLog.warn("webhook fan-out failed", { error: message });
      await recordFailure(db, "webhook_fan_out", message).catch(() => undefined);
      return null;
    }
  }

  async #fanOut(db: Database, endsAtMs: number): Promise<boolean> {
    for (;;) {
      const { endpointIds, more } = await fanOut(db, new Date(), consoleLog);
      await this.#wakeEndpoints(endpointIds);
      if (!more || Date.now() >= endsAtMs) return more;
    }
  }

  async #sweep(db: Database): Promise<void> {
    const now = Date.now();
    if (now - this.#sweptAtMs < SWEEP_MS) return;
    await this.#wakeEndpoints(await listOverdueEndpoints(db, new Date(now)));
    await this.#send((await listOverdueAttempts(db, new Date(now))).map((id) => ({ kind: "verify_receiver", attempt_id: id })));
    if (now - this.#prunedAtMs >= PRUNE_MS && (await this.#prune(db, now))) this.#prunedAtMs = now;
    await beat(db, "webhook_fan_out");
    this.#sweptAtMs = now;
  }

  /** @returns whether nothing old is left */
  async #prune(db: Database, now: number): Promise<boolean> {
    await pruneAttempts(db, new Date(now));
    const endsAtMs = Date.now() + PRUNING_MS;
    while (await pruneDeliveries(db, new Date(now))) {
      if (Date.now() >= endsAtMs) return false;
    }
    return true;
  }

  async #wakeEndpoints(endpointIds: readonly string[]): Promise<void> {
    await this.#send(endpointIds.map((id) => ({ kind: "wake_endpoint", endpoint_id: id })));
  }

  async #send(messages: readonly WebhookMessage[]): Promise<void> {
    for (let start = 0; start < messages.length; start += MESSAGES_AT_ONCE) {
      await this.env.WEBHOOKS_QUEUE.sendBatch(messages.slice(start, start + MESSAGES_AT_ONCE).map((body) => ({ body })));
    }
  }
}
