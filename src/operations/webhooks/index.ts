import type { Operation } from "../../api/operation.ts";
import { activateWebhookSecret } from "./secrets/activate-webhook-secret.ts";
import { createWebhook } from "./create-webhook.ts";
import { createWebhookVerificationAttempt } from "./create-webhook-verification-attempt.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getWebhook } from "./get-webhook.ts";
import { getWebhookVerificationAttempt } from "./get-webhook-verification-attempt.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
import { listWebhookEvents } from "./list-webhook-events.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { prepareWebhookSecret } from "./secrets/prepare-webhook-secret.ts";
import { redeliverWebhookDelivery } from "./redeliver-webhook-delivery.ts";
import { retireWebhookSecret } from "./secrets/retire-webhook-secret.ts";
import { rotateWebhookSecret } from "./secrets/rotate-webhook-secret.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateWebhook } from "./update-webhook.ts";
import { verifyWebhook } from "./verify-webhook.ts";

/**
 * Webhook endpoints and their deliveries. The first matching path wins, so fixed paths come before paths
 * with an id.
 */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  listWebhookEvents,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  verifyWebhook,
  createWebhookVerificationAttempt,
  getWebhookVerificationAttempt,
  rotateWebhookSecret,
  prepareWebhookSecret,
  activateWebhookSecret,
  retireWebhookSecret,
  listWebhookDeliveries,
  redeliverWebhookDelivery,
  testWebhook,
];
