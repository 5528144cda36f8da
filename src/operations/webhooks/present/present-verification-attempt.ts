import type { z } from "zod";
import { MAX_CHALLENGES } from "../../../webhooks/rules/verify-schedule.ts";
import type { AttemptRow } from "../../../queries/webhooks/verification-attempts.ts";
import type { WebhookVerificationAttempt } from "../schemas/delivery-schemas.ts";

export function presentVerificationAttempt(row: AttemptRow): z.input<typeof WebhookVerificationAttempt> {
  const { endpoint_id: webhookId, ...facts } = row;
  return {
    ...facts,
    object: "webhook_verification_attempt",
    webhook_id: webhookId,
    max_attempts: MAX_CHALLENGES,
    status_url: `/api/v1/webhooks/${webhookId}/verification-attempts/${row.id}`,
  };
}
