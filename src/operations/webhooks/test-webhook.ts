import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import { ANSWER_MS, failureWords } from "../../domain/webhooks/delivery-state.ts";
import { signDelivery } from "../../domain/webhooks/sign-delivery.ts";
import { openEndpointSecret } from "../../lib/endpoint-secrets.ts";
import { postOutbound, type PostResult } from "../../ports/outbound-post.ts";
import { findSigning } from "../../queries/webhooks/find-endpoint.ts";
import { checkUrl } from "./check-url.ts";
import { WebhookTest } from "./delivery-schemas.ts";
import { noEndpoint, ownEndpoint, sealedFor } from "./owned.ts";
import { WebhookSegment } from "./segments.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

/** No event's type: whoever acts on events must have nothing to act on. */
const TEST_TYPE = "webhook.test";

export const testWebhook = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "testWebhook",
  method: "post",
  path: "/api/v1/webhooks/{id}/test-delivery",
  summary: "Post a test event to a webhook endpoint.",
  description:
    "Posts one body of the type webhook.test, signed and with the headers of a delivery, and waits up to 15 seconds for the answer. It is attempted once, is not among the endpoint's deliveries, and counts neither as a success nor as a failure. Needs an active endpoint.",
  params: { id: WebhookSegment },
  reasons: ["not_found", "invalid_body", "webhook_not_delivering", "host_lookup_unavailable"],
  object: "webhook_test",
  data: WebhookTest,
  async handle({ params }, context) {
    const { principal, db, config, webhooks, now } = context;
    const ref = ownEndpoint(principal, params.id);
    const found = await findSigning(db, ref, now);
    if (found === null) throw noEndpoint(params.id);
    // Whoever receives has said so: nothing is posted to a host that its owner has not verified.
    if (found.status !== "active") {
      const message = found.status === "disabled" ? "The endpoint is disabled. Enable it first." : "The endpoint waits for verification.";
      throw new ApiError("webhook_not_delivering", { param: "endpoint", message });
    }
    const owner = sealedFor(ref, context);
    const secrets = await Promise.all(found.secrets.map((sealed) => openEndpointSecret("signing secret", sealed, owner)));
    const { url } = await checkUrl(found.url, context);
    const event = makeEvent(context);
    const nowMs = webhooks.now();
    const headers = await signDelivery(
      { ...event, eventType: TEST_TYPE, deliveryId: "0", attempt: 1 },
      { secrets, headerPrefix: config.webhooks.headerPrefix, nowMs },
    );
    const result = await postOutbound({ url, headers, body: event.body, timeoutMs: ANSWER_MS }, webhooks.fetch);
    return { data: presentTest(result, webhooks.now() - nowMs) };
  },
});

function makeEvent({ now, webhooks }: OperationContext): { id: string; body: string } {
  const id = `evt_test_${webhooks.newId()}`;
  const data = { message: "This is a test. Nothing has happened." };
  return { id, body: JSON.stringify({ id, type: TEST_TYPE, created_at: now.toISOString(), data }) };
}

function presentTest(result: PostResult, durationMs: number): z.input<typeof WebhookTest> {
  return {
    object: "webhook_test",
    delivered: result.kind === "accepted",
    response_status: "status" in result ? result.status : null,
    error: result.kind === "accepted" ? null : failureWords(result),
    duration_ms: durationMs,
  };
}
