import type { WebhookMessage } from "../../src/messages/webhooks.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";

/** One time that the endpoint was disabled, and whether the queue has the message about it. */
interface Disabling {
  readonly mailKey: string;
  readonly isTold: boolean;
}

const STORED = "disabling";

/**
 * Sees to it that the owner of an endpoint is told once of each time that the endpoint is found to have stopped being active. Whoever gets the
 * message sees whether there is something to tell. What is killed in between sends it again, with the same key.
 */
export class OwnerNotice {
  readonly #storage: DurableObjectStorage;
  readonly #send: (message: WebhookMessage) => Promise<unknown>;
  readonly #newKey: () => string;
  /** As this run has seen it last; null when it has not. */
  #isActive: boolean | null = null;
  /** As it is stored; null while none is. */
  #disabling: Disabling | null = null;

  /** @param newKey a UUID that nothing else has */
  constructor(storage: DurableObjectStorage, send: (message: WebhookMessage) => Promise<unknown>, newKey: () => string) {
    this.#storage = storage;
    this.#send = send;
    this.#newKey = newKey;
  }

  /** At the start of a run. */
  async begin(): Promise<void> {
    this.#isActive = null;
    this.#disabling = (await this.#storage.get<Disabling>(STORED)) ?? null;
  }

  /** Takes in whether the endpoint is active. Of one that is, the owner is told when it is disabled again. */
  see(isActive: boolean): void {
    this.#isActive = isActive;
    if (!isActive || this.#disabling === null) return;
    this.#disabling = null;
    // Not waited for: nothing leaves the object before it is stored.
    void this.#storage.delete(STORED);
  }

  /** At the end of a run. @returns false when the queue took nothing, and it has to be done again */
  async settle(endpointId: string): Promise<boolean> {
    if (this.#isActive !== false || this.#disabling?.isTold === true) return true;
    const mailKey = this.#disabling?.mailKey ?? this.#newKey();
    await this.#storage.put<Disabling>(STORED, { mailKey, isTold: false });
    try {
      await this.#send({ kind: "tell_owner", endpoint_id: endpointId, mail_key: mailKey });
    } catch (error) {
      consoleLog.warn("webhook owner not told", { endpoint_id: endpointId, error: describeError(error) });
      return false;
    }
    await this.#storage.put<Disabling>(STORED, { mailKey, isTold: true });
    return true;
  }
}
