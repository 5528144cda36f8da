import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import { requireCurrentSchema } from "../../src/db/schema-version.ts";
import { IDLE_WAIT_MS, HOLD_MS } from "../../src/webhooks/rules/endpoint-hold.ts";
import type { Env } from "../../src/env.ts";
import { AlarmLoop } from "../../src/lib/timing/alarm-loop.ts";
import { WakeSignal } from "../../src/lib/timing/wake-signal.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { openMetrics } from "../../src/platform/metrics/open-metrics.ts";
import type { WebhookMessage } from "../../src/messages/webhook-message.ts";
import { openReceiverPolicy } from "../../src/platform/http/check-receiver.ts";
import { drainEndpoint } from "../../src/webhooks/delivery/drain-endpoint.ts";
import { verifyReceiver } from "../../src/webhooks/verification/verify-receiver.ts";
import { OwnerNotice } from "./owner-notice.ts";

/** Maximum time in which one alarm begins attempts. */
const RUN_MS = 20_000;
/**
 * The next alarm in case this one never returns. It leaves time for the last attempt: DNS queries and a POST
 * of 15 seconds.
 */
const WATCHDOG_MS = 60_000;
/** Pause after a failure to read deliveries or to enqueue the owner notice. */
const FAILURE_PAUSE_MS = 5_000;
/** Maximum delay of a queue message. */
const MAX_QUEUE_DELAY_SECONDS = 43_200;

/**
 * Delivers to one webhook endpoint, or runs one verification attempt; one object each, so that none waits for
 * another. Due work is stored and leased in Postgres. The object stores only its endpoint id and the state of
 * the owner notice.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  readonly #loop = new AlarmLoop({
    storage: this.ctx.storage,
    now: Date.now,
    watchdogMs: WATCHDOG_MS,
    turn: () => this.#turn(),
    retryMs: () => FAILURE_PAUSE_MS,
  });
  /** Interrupts the waiting of a run. */
  readonly #wakeSignal = new WakeSignal();
  readonly #idleSignal = new WakeSignal();
  #holdUntilMs = 0;
  readonly #ownerNotice = new OwnerNotice(
    this.ctx.storage,
    (message) => this.env.WEBHOOKS_QUEUE.send(message),
    () => crypto.randomUUID(),
  );
  /** Whether the endpoint id has been stored. */
  #isIdStored = false;

  /** Starts a run for due deliveries. Returns at once. Idempotent. */
  async wake(endpointId: string): Promise<void> {
    if (this.#loop.isRunning) return this.#wakeSignal.set();
    if (!this.#isIdStored) await this.ctx.storage.put("endpoint_id", endpointId);
    this.#isIdStored = true;
    await this.#loop.wake();
  }

  /**
   * Prevents new deliveries for HOLD_MS. Resolves when none is in flight, or after some seconds. In memory
   * only: Postgres refuses changes while a delivery is in flight, and the hold only makes their success
   * likely.
   */
  async hold(): Promise<void> {
    this.#holdUntilMs = Date.now() + HOLD_MS;
    if (!this.#loop.isRunning) return;
    this.#wakeSignal.set();
    await this.#idleSignal.wait(IDLE_WAIT_MS);
  }

  /** Ends a hold. */
  async resume(): Promise<void> {
    if (this.#holdUntilMs <= Date.now()) return;
    this.#holdUntilMs = 0;
    if (this.#loop.isRunning) this.#wakeSignal.set();
    else await this.#loop.wake();
  }

  /**
   * Posts the challenge of a verification attempt, if one is due. Returns at once. The next sweep retries a
   * failure.
   */
  async verify(attemptId: string): Promise<void> {
    this.ctx.waitUntil(this.#verify(attemptId));
  }

  override alarm(): Promise<void> {
    return this.#loop.alarm();
  }

  async #turn(): Promise<number | null> {
    const endpointId = await this.ctx.storage.get<string>("endpoint_id");
    if (endpointId === undefined) return null;
    this.#idleSignal.takeSet();
    await this.#ownerNotice.begin();
    const nextDueAtMs = await this.#drain(endpointId);
    const isEnqueued = await this.#ownerNotice.enqueueIfDisabled(endpointId);
    this.#idleSignal.set();
    // A wake-up that came after the last claim starts another run.
    if (this.#wakeSignal.takeSet()) return Date.now();
    return isEnqueued ? nextDueAtMs : Date.now() + FAILURE_PAUSE_MS;
  }

  async #drain(endpointId: string): Promise<number | null> {
    try {
      return await drainEndpoint(endpointId, Date.now() + RUN_MS, {
        ...(await this.#openPosting()),
        wakeSignal: this.#wakeSignal,
        random: Math.random,
        metrics: openMetrics(this.env),
        onEndpointState: (isActive) => this.#ownerNotice.observe(isActive),
        holdUntilMs: () => this.#holdUntilMs,
        onRetry: (delayMs) => this.ctx.waitUntil(this.#enqueueWake(endpointId, delayMs)),
      });
    } catch (error) {
      consoleLog.warn("webhook.drain_failed", { endpoint_id: endpointId, error: describeError(error) });
      return Date.now() + FAILURE_PAUSE_MS;
    }
  }

  async #verify(attemptId: string): Promise<void> {
    try {
      await verifyReceiver(attemptId, {
        ...(await this.#openPosting()),
        enqueue: (message, delaySeconds) => this.#enqueue(message, delaySeconds),
      });
    } catch (error) {
      consoleLog.warn("webhook.challenge_failed", { attempt_id: attemptId, error: describeError(error) });
    }
  }

  /** Settings shared by deliveries and challenges. */
  async #openPosting() {
    const config = parseConfig(this.env);
    const db = openDatabase(config);
    await requireCurrentSchema(config.databaseUrl, db, consoleLog);
    return {
      db,
      policy: openReceiverPolicy(config, fetch),
      fetch,
      headerPrefix: config.webhooks.headerPrefix,
      credentialKeys: config.credentialKeys,
      log: consoleLog,
      now: Date.now,
      newLease: () => crypto.randomUUID(),
    };
  }

  /** In addition to the alarm, which may fire late after the object has moved. */
  async #enqueueWake(endpointId: string, delayMs: number): Promise<void> {
    const delaySeconds = Math.min(MAX_QUEUE_DELAY_SECONDS, Math.ceil(delayMs / 1000));
    await this.#enqueue({ kind: "wake_endpoint", endpoint_id: endpointId }, delaySeconds);
  }

  /** A failed send only delays: the dispatcher's sweep finds the due work. */
  async #enqueue(message: WebhookMessage, delaySeconds: number): Promise<void> {
    await this.env.WEBHOOKS_QUEUE.send(message, { delaySeconds }).catch((error: unknown) =>
      consoleLog.warn("webhook.message_enqueue_failed", { ...message, error: describeError(error) }),
    );
  }
}
