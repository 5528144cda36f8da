import type { Config } from "../../config.ts";
import type { Env } from "../../env.ts";
import type { WebhookMessage } from "../../messages/webhook-message.ts";
import { openReceiverPolicy, type ReceiverPolicy } from "../http/check-receiver.ts";
import { findObject } from "./find-object.ts";

/** The external dependencies of webhook management. */
export interface WebhookPorts {
  /** Decides which receivers may be posted to. */
  readonly policy: ReceiverPolicy;
  readonly fetch: typeof fetch;
  /**
   * Sends a message to the webhooks queue.
   *
   * @throws when the queue does not accept it; the next sweep then finds the due work
   */
  readonly enqueue: (message: WebhookMessage) => Promise<void>;
  /**
   * Prevents new deliveries to an endpoint for a limited time. Resolves when none is in flight, or after some
   * seconds.
   *
   * @throws when the endpoint's object cannot be reached
   */
  readonly hold: (endpointId: string) => Promise<void>;
  /**
   * Ends a hold.
   *
   * @throws when the endpoint's object cannot be reached; the hold then expires
   */
  readonly resume: (endpointId: string) => Promise<void>;
  /**
   * The current time in Unix milliseconds, for steps after external waits. A request's own time is its
   * arrival.
   */
  readonly now: () => number;
  /** A new random UUID. */
  readonly newId: () => string;
}

export function openWebhookPorts(
  config: Pick<Config, "webhooks">,
  env: Pick<Env, "WEBHOOKS_QUEUE" | "WEBHOOK_ENDPOINT" | "REGION">,
): WebhookPorts {
  return {
    policy: openReceiverPolicy(config, fetch),
    fetch,
    enqueue: async (message) => void (await env.WEBHOOKS_QUEUE.send(message)),
    hold: async (id) => void (await findWebhookEndpoint(env, id).hold()),
    resume: async (id) => void (await findWebhookEndpoint(env, id).resume()),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
  };
}

/** The Durable Object that delivers to an endpoint. */
export const findWebhookEndpoint = (env: Pick<Env, "WEBHOOK_ENDPOINT" | "REGION">, endpointId: string) =>
  findObject(env.WEBHOOK_ENDPOINT, `endpoint:${endpointId}`, env);

/** The Durable Object that posts the challenges of one verification attempt. */
export const findVerificationObject = (env: Pick<Env, "WEBHOOK_ENDPOINT" | "REGION">, attemptId: string) =>
  findObject(env.WEBHOOK_ENDPOINT, `verification:${attemptId}`, env);
