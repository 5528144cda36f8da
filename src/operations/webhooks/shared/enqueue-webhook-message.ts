import type { OperationContext } from "../../../context.ts";
import { describeError } from "../../../platform/log/console-log.ts";
import type { WebhookMessage } from "../../../messages/webhook-message.ts";

/**
 * Enqueues a wake-up. A failure is logged and not thrown: the next sweep finds due work without the
 * message.
 */
export async function enqueueWebhookMessage(
  message: WebhookMessage,
  { webhooks, log, requestId }: OperationContext,
): Promise<void> {
  await webhooks.enqueue({ ...message, request_id: requestId }).catch((error: unknown) => {
    log.warn("webhook.enqueue_failed", { request_id: requestId, kind: message.kind, error: describeError(error) });
  });
}
