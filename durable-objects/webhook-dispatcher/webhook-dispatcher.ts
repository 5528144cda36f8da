import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase, type Database } from "../../src/db/client.ts";
import { recordHeartbeat, recordJobFailure } from "../../src/db/heartbeats.ts";
import { requireCurrentSchema } from "../../src/db/schema-version.ts";
import type { Env } from "../../src/env.ts";
import { AlarmLoop } from "../../src/lib/timing/alarm-loop.ts";
import { chunk } from "../../src/lib/chunk.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import type { WebhookMessage } from "../../src/messages/webhook-message.ts";
import { fanOut } from "../../src/webhooks/fan-out/fan-out.ts";
import { readBacklog } from "../../src/webhooks/delivery/read-backlog.ts";
import { listOverdueAttempts, pruneAttempts } from "../../src/webhooks/delivery/sweep-attempts.ts";
import { listOverdueEndpoints, pruneDeliveries } from "../../src/webhooks/delivery/sweep-deliveries.ts";
import { decidePause, SWEEP_MS } from "./decide-pause.ts";
import { HOUR_MS } from "../../src/scoring/utc-calendar.ts";

/** Maximum time that one alarm creates deliveries. */
const RUN_MS = 5_000;
/** The next alarm in case this one never returns. */
const WATCHDOG_MS = 60_000;
const FAILURE_PAUSE_MS = 5_000;
const PRUNE_MS = HOUR_MS;
/** Maximum time of pruning in one sweep, because events wait for it. */
const PRUNE_BUDGET_MS = 1_000;
/** Maximum number of messages that a queue accepts in one batch. */
const QUEUE_BATCH_MESSAGES = 100;

/**
 * Turns outbox events into deliveries and wakes their endpoints. All progress is in Postgres. If it stops
 * before waking an endpoint, the next sweep finds the deliveries.
 */
export class WebhookDispatcher extends DurableObject<Env> {
  readonly #loop = new AlarmLoop({
    storage: this.ctx.storage,
    now: Date.now,
    watchdogMs: WATCHDOG_MS,
    turn: () => this.#turn(),
    retryMs: () => FAILURE_PAUSE_MS,
  });
  /** Consecutive runs that found only events that are not readable yet. */
  #emptyReads = 0;
  /** In memory only: a restarted object sweeps at once. */
  #sweptAtMs = 0;
  #prunedAtMs = 0;

  /** Makes the loop run now. Called by cron every minute and by publishers of events. */
  async wake(): Promise<void> {
    this.#emptyReads = 0;
    await this.#loop.wake();
  }

  override alarm(): Promise<void> {
    return this.#loop.alarm();
  }

  async #turn(): Promise<number> {
    const config = parseConfig(this.env);
    const db = openDatabase(config);
    await requireCurrentSchema(config.databaseUrl, db, consoleLog);
    try {
      const more = await this.#fanOut(db, Date.now() + RUN_MS);
      await this.#sweep(db);
      const backlog = await readBacklog(db);
      this.#emptyReads = backlog.hasEvents && !more ? this.#emptyReads + 1 : 0;
      return Date.now() + decidePause({ more, ...backlog }, this.#emptyReads);
    } catch (error) {
      const message = describeError(error);
      consoleLog.warn("webhook.fan_out_failed", { error: message });
      // The log has the failure; the database may be its cause.
      await recordJobFailure(db, "webhook_fan_out", message).catch(() => undefined);
      throw error;
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
    await this.#send(
      (await listOverdueAttempts(db, new Date(now))).map((id) => ({ kind: "verify_receiver", attempt_id: id })),
    );
    if (now - this.#prunedAtMs >= PRUNE_MS && (await this.#prune(db, now))) this.#prunedAtMs = now;
    await recordHeartbeat(db, "webhook_fan_out");
    this.#sweptAtMs = now;
  }

  /** @returns whether all expired rows are deleted */
  async #prune(db: Database, now: number): Promise<boolean> {
    await pruneAttempts(db, new Date(now));
    const endsAtMs = Date.now() + PRUNE_BUDGET_MS;
    while (await pruneDeliveries(db, new Date(now))) {
      if (Date.now() >= endsAtMs) return false;
    }
    return true;
  }

  async #wakeEndpoints(endpointIds: readonly string[]): Promise<void> {
    await this.#send(endpointIds.map((id) => ({ kind: "wake_endpoint", endpoint_id: id })));
  }

  async #send(messages: readonly WebhookMessage[]): Promise<void> {
    for (const batch of chunk(messages, QUEUE_BATCH_MESSAGES)) {
      await this.env.WEBHOOKS_QUEUE.sendBatch(batch.map((body) => ({ body })));
    }
  }
}
