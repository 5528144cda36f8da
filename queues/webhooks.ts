import { parseConfig } from "../src/config.ts";
import { openDatabase } from "../src/db/client.ts";
import type { Env } from "../src/env.ts";
import { consoleLog, describeError } from "../src/lib/console-log.ts";
import { WebhookMessage } from "../src/messages/webhooks.ts";
import { openMail } from "../src/ports/open-mail.ts";
import { findVerifier, findWebhookEndpoint } from "../src/ports/webhook-ports.ts";
import { tellOwner } from "../src/webhooks/tell-owner.ts";

/** What failed comes back after this long, doubled with each attempt. A mail is tried for four hours, all else for four minutes. */
const FIRST_RETRY_SECONDS = { wake_endpoint: 1, verify_receiver: 1, tell_owner: 60 } as const;

/**
 * Consumes the webhooks queue: wakes the endpoints that have deliveries and the attempts that have challenges, and mails the owners of endpoints
 * that were disabled, at once and each without waiting for another. It waits for no receiver: the next batch comes after this one has ended.
 */
export async function consumeWebhooks(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => consumeOne(message, env)));
}

async function consumeOne(message: Message<unknown>, env: Env): Promise<void> {
  const parsed = WebhookMessage.safeParse(message.body);
  if (!parsed.success) {
    // Nothing can make it readable later; what is due is found again by the next sweep.
    consoleLog.error("webhook message dropped", { id: message.id, error: parsed.error.message });
    return message.ack();
  }
  try {
    await handle(parsed.data, env);
    message.ack();
  } catch (error) {
    consoleLog.warn("webhook message failed", { ...parsed.data, attempt: message.attempts, error: describeError(error) });
    message.retry({ delaySeconds: FIRST_RETRY_SECONDS[parsed.data.kind] * 2 ** (message.attempts - 1) });
  }
}

async function handle(message: WebhookMessage, env: Env): Promise<void> {
  switch (message.kind) {
    case "wake_endpoint":
      return findWebhookEndpoint(env.WEBHOOK_ENDPOINT, message.endpoint_id).wake(message.endpoint_id);
    case "verify_receiver":
      return findVerifier(env.WEBHOOK_ENDPOINT, message.attempt_id).verify(message.attempt_id);
    case "tell_owner":
      return tell(message.endpoint_id, message.mail_key, env);
  }
}

async function tell(endpointId: string, mailKey: string, env: Env): Promise<void> {
  const config = parseConfig(env);
  const { serviceName, apiBaseUrl } = config;
  await tellOwner(endpointId, mailKey, { db: openDatabase(config), mail: openMail(config, fetch), serviceName, apiBaseUrl });
}
