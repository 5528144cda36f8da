import { parseConfig } from "../src/config.ts";
import { openDatabase } from "../src/db/client.ts";
import { requireCurrentSchema } from "../src/db/schema-version.ts";
import type { Env } from "../src/env.ts";
import { consoleLog, describeError } from "../src/platform/log/console-log.ts";
import { inScope } from "../src/lib/work-scope.ts";
import { WebhookMessage } from "../src/messages/webhook-message.ts";
import { openMail } from "../src/platform/mail/open-mail.ts";
import { findVerificationObject, findWebhookEndpoint } from "../src/platform/objects/webhook-ports.ts";
import { notifyOwner } from "../src/webhooks/delivery/notify-owner.ts";
import { backoff } from "../src/lib/timing/backoff.ts";

/**
 * First retry delays; they double with each attempt. A mail is retried for four hours, other messages for
 * four minutes.
 */
const FIRST_RETRY_SECONDS = { wake_endpoint: 1, verify_receiver: 1, tell_owner: 60 } as const;

/**
 * Consumes the webhooks queue: wakes endpoints with deliveries and verification attempts with challenges, and
 * mails the owners of disabled endpoints. Messages of a batch run concurrently. It does not wait for
 * receivers, because the next batch starts only after this one has ended.
 */
export async function consumeWebhooks(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => consumeOne(message, env)));
}

async function consumeOne(message: Message<unknown>, env: Env): Promise<void> {
  const parsed = WebhookMessage.safeParse(message.body);
  if (!parsed.success) {
    // An unreadable message is never retried. The next sweep finds the due work.
    consoleLog.error("webhook.message_dropped", { id: message.id, error: parsed.error.message });
    return message.ack();
  }
  const { kind, request_id: requestId = null } = parsed.data;
  await inScope({ requestId, work: kind }, async () => {
    try {
      await handle(parsed.data, env);
      message.ack();
    } catch (error) {
      consoleLog.warn("webhook.message_failed", { ...subjectOf(parsed.data), ...failureOf(message, error) });
      message.retry({ delaySeconds: backoff(message.attempts, FIRST_RETRY_SECONDS[kind]) });
    }
  });
}

const subjectOf = (message: WebhookMessage) =>
  message.kind === "verify_receiver" ? { attempt_id: message.attempt_id } : { endpoint_id: message.endpoint_id };

const failureOf = ({ attempts }: Message<unknown>, error: unknown) => ({
  attempt: attempts,
  error: describeError(error),
});

async function handle(message: WebhookMessage, env: Env): Promise<void> {
  switch (message.kind) {
    case "wake_endpoint":
      return findWebhookEndpoint(env, message.endpoint_id).wake(message.endpoint_id);
    case "verify_receiver":
      return findVerificationObject(env, message.attempt_id).verify(message.attempt_id);
    case "tell_owner":
      return notify(message.endpoint_id, message.mail_key, env);
  }
}

async function notify(endpointId: string, mailKey: string, env: Env): Promise<void> {
  const config = parseConfig(env);
  const { serviceName, apiBaseUrl } = config;
  const db = openDatabase(config);
  await requireCurrentSchema(config.databaseUrl, db, consoleLog);
  await notifyOwner(endpointId, mailKey, {
    db,
    mail: openMail(config, fetch),
    serviceName,
    apiBaseUrl,
  });
}
