import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findAttempt } from "../../queries/webhooks/verification-attempts.ts";
import { WebhookVerificationAttempt } from "./delivery-schemas.ts";
import { ownEndpoint } from "./owned.ts";
import { presentAttempt } from "./present-attempt.ts";
import { AttemptSegment, WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const getWebhookVerificationAttempt = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "getWebhookVerificationAttempt",
  method: "get",
  path: "/api/v1/webhooks/{id}/verification-attempts/{attempt_id}",
  summary: "Read how an attempt to verify an endpoint stands.",
  description: "For seven days after it was asked for.",
  params: { id: WebhookSegment, attempt_id: AttemptSegment },
  reasons: ["not_found"],
  object: "webhook_verification_attempt",
  data: WebhookVerificationAttempt,
  async handle({ params }, { principal, db, now }) {
    const row = await findAttempt(db, ownEndpoint(principal, params.id), params.attempt_id.toLowerCase(), now);
    if (row === null) throw new ApiError("not_found", { param: "attempt_id", message: "This endpoint has no such verification attempt." });
    return { data: presentAttempt(row) };
  },
});
