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
  /** Lets no delivery to an endpoint begin for a while, and resolves when none is under way, or after some seconds. @throws when it cannot */
  readonly hold: (endpointId: string) => Promise<void>;
  /** Ends that. @throws when it cannot: then it ends by itself */
  readonly resume: (endpointId: string) => Promise<void>;
  /** Milliseconds since 1970, for what is done after the outside has been waited for: a request's own time is when it came. */
  readonly now: () => number;
  /** A UUID that nothing else has. */
  readonly newId: () => string;
}

export function openWebhookPorts(
  config: Pick<Config, "webhooks">,
  { WEBHOOKS_QUEUE, WEBHOOK_ENDPOINT }: Pick<Env, "WEBHOOKS_QUEUE" | "WEBHOOK_ENDPOINT">,
): WebhookPorts {
  return {
    policy: openReceiverPolicy(config, fetch),
    fetch,
    tell: async (message) => void (await WEBHOOKS_QUEUE.send(message)),
    hold: async (id) => void (await findWebhookEndpoint(WEBHOOK_ENDPOINT, id).hold()),
    resume: async (id) => void (await findWebhookEndpoint(WEBHOOK_ENDPOINT, id).resume()),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  };
}

/** The object that delivers to an endpoint. */
export const findWebhookEndpoint = (objects: Env["WEBHOOK_ENDPOINT"], endpointId: string) =>
  objects.get(objects.idFromName(`endpoint:${endpointId}`));

/** The object that challenges a receiver in one attempt to verify an endpoint. */
export const findVerifier = (objects: Env["WEBHOOK_ENDPOINT"], attemptId: string) =>
  objects.get(objects.idFromName(`verification:${attemptId}`));
