import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { beginAttempt } from "../../queries/webhooks/verification-attempts.ts";
import { CreateWebhookVerificationAttemptRequest } from "./bodies.ts";
import { checkToken, expectFresh } from "./check-token.ts";
import { WebhookVerificationAttempt } from "./delivery-schemas.ts";
import { ownEndpoint } from "./owned.ts";
import { presentAttempt } from "./present-attempt.ts";
import { WebhookSegment } from "./segments.ts";
import { tell } from "./tell.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

export const createWebhookVerificationAttempt = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "createWebhookVerificationAttempt",
  method: "post",
  path: "/api/v1/webhooks/{id}/verification-attempts",
  summary: "Begin to verify a webhook endpoint by a signed challenge.",
  description:
    "Posts {type: webhook.verification, token, webhook_id} to the receiver, signed as a delivery is, and makes the endpoint active once it answers 2xx within 10 seconds: up to four times, 5, 15 and 45 seconds apart. Redirects are not followed, and no answer's body is read. Read the attempt at its status_url. While one is under way the answer is that one.",
  params: { id: WebhookSegment },
  reasons: ["bad_request", "not_found", "webhook_not_pending"],
  idempotent: true,
  successStatus: 202,
  object: "webhook_verification_attempt",
  data: WebhookVerificationAttempt,
  body: CreateWebhookVerificationAttemptRequest,
  async handle({ params, body }, context) {
    const { principal, db, webhooks, now } = context;
    const ref = ownEndpoint(principal, params.id);
    const token = await checkToken(body.verification_token, ref, context);
    if (token.status !== "pending_verification") throw notPending();
    expectFresh(token);
    const attempt = await beginAttempt(db, ref, { id: webhooks.newId(), tokenSealed: token.token_sealed }, now);
    if (attempt === null) throw notPending();
    await tell({ kind: "verify_receiver", attempt_id: attempt.id }, context);
    return { data: presentAttempt(attempt) };
  },
});

const notPending = () => new ApiError("webhook_not_pending", { param: "endpoint" });
