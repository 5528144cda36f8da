import type { WebhookMessage } from "../../src/messages/webhook-message.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";

/**
 * One disablement of the endpoint, and whether its message has been enqueued. Stored, so its keys are fixed.
 */
interface Disablement {
  readonly mailKey: string;
  readonly isTold: boolean;
}

const STORAGE_KEY = "disabling";

/**
 * Enqueues one notice to the owner per disablement of the endpoint. The message is idempotent: a retry uses
 * the same key, and the consumer checks again that the endpoint is still disabled.
 */
export class OwnerNotice {
  readonly #storage: DurableObjectStorage;
  readonly #send: (message: WebhookMessage) => Promise<unknown>;
  readonly #newKey: () => string;
  /** Last observed state in this run; null before the first observation. */
  #isActive: boolean | null = null;
  /** The stored disablement; null without one. */
  #disablement: Disablement | null = null;

  /** @param newKey returns a new random UUID */
  constructor(
    storage: DurableObjectStorage,
    send: (message: WebhookMessage) => Promise<unknown>,
    newKey: () => string,
  ) {
    this.#storage = storage;
    this.#send = send;
    this.#newKey = newKey;
  }

  /** Call at the start of a run. */
  async begin(): Promise<void> {
    this.#isActive = null;
    this.#disablement = (await this.#storage.get<Disablement>(STORAGE_KEY)) ?? null;
  }

  /**
   * Takes over whether the endpoint is active. An active endpoint gets a new notice when it is disabled
   * again.
   */
  observe(isActive: boolean): void {
    this.#isActive = isActive;
    if (!isActive || this.#disablement === null) return;
    this.#disablement = null;
    // Not awaited: the output gate holds outgoing messages until the write is stored.
    void this.#storage.delete(STORAGE_KEY);
  }

  /**
   * Call at the end of a run.
   *
   * @returns false when the queue did not accept the message; call again later
   */
  async enqueueIfDisabled(endpointId: string): Promise<boolean> {
    if (this.#isActive !== false || this.#disablement?.isTold === true) return true;
    const mailKey = this.#disablement?.mailKey ?? this.#newKey();
    await this.#storage.put<Disablement>(STORAGE_KEY, { mailKey, isTold: false });
    try {
      await this.#send({ kind: "tell_owner", endpoint_id: endpointId, mail_key: mailKey });
    } catch (error) {
      consoleLog.warn("webhook.owner_notice_enqueue_failed", { endpoint_id: endpointId, error: describeError(error) });
      return false;
    }
    await this.#storage.put<Disablement>(STORAGE_KEY, { mailKey, isTold: true });
    return true;
  }
}
