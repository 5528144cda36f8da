import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import { RESPONSE_TIMEOUT_MS, describeDeliveryFailure } from "../../webhooks/rules/delivery-state.ts";
import { signDelivery } from "../../webhooks/rules/sign-delivery.ts";
import { openEndpointSecret } from "../../lib/crypto/endpoint-secrets.ts";
import { postOutbound, type PostResult } from "../../platform/http/outbound-post.ts";
import { findSigningSecrets } from "../../queries/webhooks/find-endpoint.ts";
import { checkReceiverUrl } from "./shared/check-receiver-url.ts";
import { WebhookTest } from "./schemas/delivery-schemas.ts";
import { endpointNotFound, endpointRefOf, sealOwnerOf } from "./shared/endpoint-access.ts";
import { WebhookSegment } from "./schemas/path-segments.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

/** Not a registered event type, so that receivers do not act on a test. */
const TEST_TYPE = "webhook.test";

export const testWebhook = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "testWebhook",
  method: "post",
  path: "/api/v1/webhooks/{id}/test-delivery",
  summary: "Send a test event to a webhook endpoint.",
  description:
    "Posts one body of type webhook.test, signed and with the headers of a delivery, and waits up to 15 " +
    "seconds for the response. There is one attempt. It is not listed among the deliveries, and counts " +
    "neither as a success nor as a failure. Requires an active endpoint.",
  params: { id: WebhookSegment },
  reasons: ["not_found", "invalid_body", "webhook_not_delivering", "host_lookup_unavailable"],
  object: "webhook_test",
  data: WebhookTest,
  async handle({ params }, context) {
    const { principal, db, config, webhooks, now } = context;
    const ref = endpointRefOf(principal, params.id);
    const found = await findSigningSecrets(db, ref, now);
    if (found === null) throw endpointNotFound(params.id);
    // Only a verified receiver gets requests: the owner of the host has agreed to receive them.
    if (found.status !== "active") {
      const message =
        found.status === "disabled"
          ? "The endpoint is disabled. Enable it first."
          : "The endpoint is not verified yet. Verify it first.";
      throw new ApiError("webhook_not_delivering", { param: "endpoint", message });
    }
    const owner = sealOwnerOf(ref, context);
    const secrets = await Promise.all(
      found.secrets.map((sealed) => openEndpointSecret("signing secret", sealed, owner)),
    );
    const { url } = await checkReceiverUrl(found.url, context);
    const event = makeEvent(context);
    const nowMs = webhooks.now();
    const headers = await signDelivery(
      { ...event, eventType: TEST_TYPE, deliveryId: "0", attempt: 1 },
      { secrets, headerPrefix: config.webhooks.headerPrefix, nowMs },
    );
    const result = await postOutbound(
      { url, headers, body: event.body, timeoutMs: RESPONSE_TIMEOUT_MS },
      webhooks.fetch,
    );
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
    error: result.kind === "accepted" ? null : describeDeliveryFailure(result),
    duration_ms: durationMs,
  };
}
