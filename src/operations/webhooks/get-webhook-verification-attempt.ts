import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findVerificationAttempt } from "../../queries/webhooks/verification-attempts.ts";
import { WebhookVerificationAttempt } from "./schemas/delivery-schemas.ts";
import { endpointRefOf } from "./shared/endpoint-access.ts";
import { presentVerificationAttempt } from "./present/present-verification-attempt.ts";
import { AttemptSegment, WebhookSegment } from "./schemas/path-segments.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

export const getWebhookVerificationAttempt = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "getWebhookVerificationAttempt",
  method: "get",
  path: "/api/v1/webhooks/{id}/verification-attempts/{attempt_id}",
  summary: "Get the state of a verification attempt.",
  description: "An attempt can be read for seven days after it was requested.",
  params: { id: WebhookSegment, attempt_id: AttemptSegment },
  reasons: ["not_found"],
  object: "webhook_verification_attempt",
  data: WebhookVerificationAttempt,
  async handle({ params }, { principal, db, now }) {
    const row = await findVerificationAttempt(
      db,
      endpointRefOf(principal, params.id),
      params.attempt_id.toLowerCase(),
      now,
    );
    if (row === null)
      throw new ApiError("not_found", {
        param: "attempt_id",
        message: "This endpoint has no such verification attempt.",
      });
    return { data: presentVerificationAttempt(row) };
  },
});
