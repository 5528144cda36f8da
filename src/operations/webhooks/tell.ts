import type { OperationContext } from "../../context.ts";
import { describeError } from "../../lib/console-log.ts";
import type { WebhookMessage } from "../../messages/webhooks.ts";

/** Says that there is something to do. What nobody was told of is found by the next sweep, a little later. */
export async function tell(message: WebhookMessage, { webhooks, log, requestId }: OperationContext): Promise<void> {
  await webhooks.tell(message).catch((error: unknown) => {
    log.warn("webhook message not sent", { request_id: requestId, kind: message.kind, error: describeError(error) });
  });
}
