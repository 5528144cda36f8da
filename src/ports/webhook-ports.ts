import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import type { WebhookMessage } from "../messages/webhooks.ts";
import { openReceiverPolicy, type ReceiverPolicy } from "./check-receiver.ts";

/** What managing webhooks needs of the outside. */
export interface WebhookPorts {
  /** Which receivers may be posted to. */
  readonly policy: ReceiverPolicy;
  readonly fetch: typeof fetch;
  /** Says that there is something to do. @throws when it cannot be said; what is due is found by the next sweep then */
  readonly tell: (message: WebhookMessage) => Promise<void>;
}

export const openWebhookPorts = (config: Pick<Config, "webhooks">, queue: Env["WEBHOOKS_QUEUE"]): WebhookPorts => ({
  policy: openReceiverPolicy(config, fetch),
  fetch,
  tell: async (message) => void (await queue.send(message)),
});
