import { parseConfig } from "../src/config.ts";
import { openDatabase } from "../src/db/client.ts";
import type { Env } from "../src/env.ts";
import { consoleLog, describeError } from "../src/lib/console-log.ts";
import { WebhookMessage } from "../src/messages/webhooks.ts";
import { openReceiverPolicy } from "../src/ports/check-receiver.ts";
import { verifyReceiver } from "../src/webhooks/verify-receiver.ts";

/** A wake-up that failed comes back after this long, doubled with each attempt. */
const FIRST_RETRY_SECONDS = 1;

/**
 * Consumes the webhooks queue: wakes the endpoints that have deliveries, and posts the challenges that are due, at once and each without
 * waiting for another.
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
    message.retry({ delaySeconds: FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1) });
  }
}

async function handle(message: WebhookMessage, env: Env): Promise<void> {
  if (message.kind === "verify_receiver") return verify(message.attempt_id, env);
  const { endpoint_id: id } = message;
  await env.WEBHOOK_ENDPOINT.get(env.WEBHOOK_ENDPOINT.idFromName(`endpoint:${id}`)).wake(id);
}

async function verify(attemptId: string, env: Env): Promise<void> {
  const config = parseConfig(env);
  await verifyReceiver(attemptId, {
    db: openDatabase(config),
    policy: openReceiverPolicy(config, fetch),
    fetch,
    headerPrefix: config.webhooks.headerPrefix,
    credentialSecret: config.credentialSecret,
    log: consoleLog,
    now: Date.now,
    newLease: () => crypto.randomUUID(),
    tell: async (message, delaySeconds) => {
      await env.WEBHOOKS_QUEUE.send(message, { delaySeconds }).catch((error: unknown) =>
        consoleLog.warn("webhook message not sent", { ...message, error: describeError(error) }),
      );
    },
  });
}
