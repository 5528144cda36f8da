import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { startVerificationAttempt } from "../../queries/webhooks/verification-attempts.ts";
import { CreateWebhookVerificationAttemptRequest } from "./schemas/request-schemas.ts";
import { checkVerificationToken, requireUnexpired } from "./shared/check-verification-token.ts";
import { WebhookVerificationAttempt } from "./schemas/delivery-schemas.ts";
import { endpointRefOf } from "./shared/endpoint-access.ts";
import { presentVerificationAttempt } from "./present/present-verification-attempt.ts";
import { WebhookSegment } from "./schemas/path-segments.ts";
import { enqueueWebhookMessage } from "./shared/enqueue-webhook-message.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

export const createWebhookVerificationAttempt = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "createWebhookVerificationAttempt",
  method: "post",
  path: "/api/v1/webhooks/{id}/verification-attempts",
  summary: "Start the verification of a webhook endpoint by a signed challenge.",
  description:
    "Posts {type: webhook.verification, token, webhook_id} to the receiver, signed like a delivery. The " +
    "endpoint becomes active when the receiver responds with 2xx within 10 seconds. There are up to four " +
    "challenges, 5, 15 and 45 seconds apart. Redirects are not followed, and response bodies are not " +
    "read. Read the attempt at its `status_url`. While an attempt is in progress, the request returns that attempt.",
  params: { id: WebhookSegment },
  reasons: ["bad_request", "not_found", "webhook_not_pending"],
  idempotent: true,
  successStatus: 202,
  object: "webhook_verification_attempt",
  data: WebhookVerificationAttempt,
  body: CreateWebhookVerificationAttemptRequest,
  async handle({ params, body }, context) {
    const { principal, db, webhooks, now } = context;
    const ref = endpointRefOf(principal, params.id);
    const token = await checkVerificationToken(body.verification_token, ref, context);
    if (token.status !== "pending_verification") throw notPending();
    requireUnexpired(token);
    const attempt = await startVerificationAttempt(
      db,
      ref,
      { id: webhooks.newId(), tokenSealed: token.token_sealed },
      now,
    );
    if (attempt === null) throw notPending();
    await enqueueWebhookMessage({ kind: "verify_receiver", attempt_id: attempt.id }, context);
    return { data: presentVerificationAttempt(attempt) };
  },
});

const notPending = () => new ApiError("webhook_not_pending", { param: "endpoint" });
