import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { activateEndpoint } from "../../queries/webhooks/activate-endpoint.ts";
import { findEndpoint } from "../../queries/webhooks/find-endpoint.ts";
import { VerifyWebhookRequest } from "./schemas/request-schemas.ts";
import { checkVerificationToken, requireUnexpired } from "./shared/check-verification-token.ts";
import { checkReceiverUrl } from "./shared/check-receiver-url.ts";
import { endpointNotFound, endpointRefOf } from "./shared/endpoint-access.ts";
import { presentEndpoint } from "./present/present-endpoint.ts";
import { enqueueWebhookMessage } from "./shared/enqueue-webhook-message.ts";
import { ENDPOINT_OPERATION } from "./shared/webhook-operation.ts";

export const verifyWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "verifyWebhook",
  method: "post",
  path: "/api/v1/webhooks/{id}/verify",
  summary: "Verify a webhook endpoint by its token.",
  description:
    "The token alone activates the endpoint; nothing is posted to it. Events from now on are delivered. " +
    "For an active endpoint the request has no effect.",
  reasons: ["bad_request", "not_found", "host_lookup_unavailable"],
  body: VerifyWebhookRequest,
  async handle({ params, body }, context) {
    const { principal, db, webhooks, now } = context;
    const ref = endpointRefOf(principal, params.id);
    const token = await checkVerificationToken(body.verification_token, ref, context);
    if (token.status === "pending_verification") {
      requireUnexpired(token);
      await checkReceiverUrl(token.url, context);
      // Not the time of the request: the host lookup takes seconds, and events of these seconds are already
      // fanned out.
      const activated = await activateEndpoint(db, ref, token.token_sealed, new Date(webhooks.now()));
      if (activated !== null) {
        if (activated.resumed > 0)
          await enqueueWebhookMessage({ kind: "wake_endpoint", endpoint_id: String(ref.id) }, context);
        return { data: presentEndpoint(activated) };
      }
    }
    // The endpoint is already active, or another request has just changed it.
    const row = await findEndpoint(db, ref, now);
    if (row === null) throw endpointNotFound(params.id);
    if (row.status === "active") return { data: presentEndpoint(row) };
    const message =
      row.status === "disabled"
        ? "The endpoint is disabled. Enable it first."
        : "The endpoint was changed by another request. A change of the URL creates a new token: verify with that one.";
    throw new ApiError("bad_request", { param: "endpoint", message });
  },
});
