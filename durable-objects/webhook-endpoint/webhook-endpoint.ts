import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import { AT_REST_WITHIN_MS, HOLD_MS } from "../../src/domain/webhooks/hold.ts";
import type { Env } from "../../src/env.ts";
import { Bell } from "../../src/lib/bell.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import type { WebhookMessage } from "../../src/messages/webhooks.ts";
import { openReceiverPolicy } from "../../src/ports/check-receiver.ts";
import { drainEndpoint } from "../../src/webhooks/drain-endpoint.ts";
import { verifyReceiver } from "../../src/webhooks/verify-receiver.ts";
import { OwnerNotice } from "./owner-notice.ts";

/** One alarm begins attempts for at most this long. */
const RUN_MS = 20_000;
/** The alarm that fires should this one never return: attempts of 15 seconds, their names looked up, may follow the last beginning. */
const WATCHDOG_MS = 60_000;
/** How long an endpoint whose deliveries cannot be read rests. */
const REST_MS = 5_000;
/** The longest a queue delays a message. */
const LONGEST_QUEUE_DELAY_SECONDS = 43_200;

/**
 * Delivers to one webhook endpoint, or challenges its receiver in one attempt to verify it, so that none waits for another. What is due stands in
 * Postgres, and is claimed there; kept here is only which endpoint it is, and whether its owner has been told of its end.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  readonly #bell = new Bell();
  #isRunning = false;
  readonly #ended = new Bell();
  #heldUntilMs = 0;
  readonly #notice = new OwnerNotice(
    this.ctx.storage,
    (message) => this.env.WEBHOOKS_QUEUE.send(message),
    () => crypto.randomUUID(),
  );
  /** Whether it is stored which endpoint this is. */
  #isKnown = false;

  /** Says that something may be due. Returns at once; any number of calls do what one does. */
  async wake(endpointId: string): Promise<void> {
    if (this.#isRunning) return this.#bell.ring();
    if (!this.#isKnown) await this.ctx.storage.put("endpoint_id", endpointId);
    this.#isKnown = true;
    await this.ctx.storage.setAlarm(Date.now());
  }

  /**
   * Lets no delivery begin for a while, and resolves when none is under way, or after some seconds. Not kept: what must not happen while one is
   * under way is refused in Postgres, and this only gives it a chance.
   */
  async hold(): Promise<void> {
    this.#heldUntilMs = Date.now() + HOLD_MS;
    if (!this.#isRunning) return;
    this.#bell.ring();
    await this.#ended.next(AT_REST_WITHIN_MS);
  }

  /** Ends a hold. */
  async resume(): Promise<void> {
    if (this.#heldUntilMs <= Date.now()) return;
    this.#heldUntilMs = 0;
    if (this.#isRunning) this.#bell.ring();
    else await this.ctx.storage.setAlarm(Date.now());
  }

  /** Posts the challenge of an attempt, if one is due. Returns at once; what fails before it is posted the next sweep finds. */
  async verify(attemptId: string): Promise<void> {
    this.ctx.waitUntil(this.#verify(attemptId));
  }

  override async alarm(): Promise<void> {
    const endpointId = await this.ctx.storage.get<string>("endpoint_id");
    if (endpointId === undefined) return;
    this.#isRunning = true;
    this.#ended.wasRung();
    await this.#notice.begin();
    await this.ctx.storage.setAlarm(Date.now() + WATCHDOG_MS);
    const nextDueAtMs = await this.#drain(endpointId);
    const isTold = await this.#notice.settle(endpointId);
    // From here on a call sets the alarm itself, after it has been set here.
    this.#isRunning = false;
    this.#ended.ring();
    await this.#rest(isTold ? nextDueAtMs : Date.now() + REST_MS);
  }

  async #drain(endpointId: string): Promise<number | null> {
    try {
      return await drainEndpoint(endpointId, Date.now() + RUN_MS, {
        ...this.#openPosting(),
        bell: this.#bell,
        random: Math.random,
        onSeen: (isActive) => this.#notice.see(isActive),
        heldUntilMs: () => this.#heldUntilMs,
        onRetry: (delayMs) => this.ctx.waitUntil(this.#remind(endpointId, delayMs)),
      });
    } catch (error) {
      consoleLog.warn("webhook deliveries not read", { endpoint_id: endpointId, error: describeError(error) });
      return Date.now() + REST_MS;
    }
  }

  async #verify(attemptId: string): Promise<void> {
    try {
      await verifyReceiver(attemptId, { ...this.#openPosting(), tell: (message, delaySeconds) => this.#tell(message, delaySeconds) });
    } catch (error) {
      consoleLog.warn("webhook challenge not posted", { attempt_id: attemptId, error: describeError(error) });
    }
  }

  /** What both posts need. */
  #openPosting() {
    const config = parseConfig(this.env);
    return {
      db: openDatabase(config),
      policy: openReceiverPolicy(config, fetch),
      fetch,
      headerPrefix: config.webhooks.headerPrefix,
      credentialSecret: config.credentialSecret,
      log: consoleLog,
      now: Date.now,
      newLease: () => crypto.randomUUID(),
    };
  }

  async #rest(nextDueAtMs: number | null): Promise<void> {
    // A call that came after the last claim is not to be forgotten.
    if (this.#bell.wasRung()) await this.ctx.storage.setAlarm(Date.now());
    else if (nextDueAtMs === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(nextDueAtMs, Date.now() + 10));
  }

  /** Beside the alarm, which an object that is moved may get late. */
  async #remind(endpointId: string, delayMs: number): Promise<void> {
    const delaySeconds = Math.min(LONGEST_QUEUE_DELAY_SECONDS, Math.ceil(delayMs / 1000));
    await this.#tell({ kind: "wake_endpoint", endpoint_id: endpointId }, delaySeconds);
  }

  /** A message that is not sent delays: the dispatcher's sweep finds what it would have said. */
  async #tell(message: WebhookMessage, delaySeconds: number): Promise<void> {
    await this.env.WEBHOOKS_QUEUE.send(message, { delaySeconds }).catch((error: unknown) =>
      consoleLog.warn("webhook message not sent", { ...message, error: describeError(error) }),
    );
  }
}
