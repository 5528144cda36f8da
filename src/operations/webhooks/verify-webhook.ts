import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { activateEndpoint } from "../../queries/webhooks/activate-endpoint.ts";
import { findEndpoint } from "../../queries/webhooks/find-endpoint.ts";
import { VerifyWebhookRequest } from "./bodies.ts";
import { checkToken, expectFresh } from "./check-token.ts";
import { checkUrl } from "./check-url.ts";
import { noEndpoint, ownEndpoint } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { tell } from "./tell.ts";
import { ENDPOINT_OPERATION } from "./webhook-operation.ts";

export const verifyWebhook = defineOperation({
  ...ENDPOINT_OPERATION,
  id: "verifyWebhook",
  method: "post",
  path: "/api/v1/webhooks/{id}/verify",
  summary: "Verify a webhook endpoint by its token.",
  description:
    "The token alone makes the endpoint active: nothing is posted to it for that. Deliveries begin with what happens from now on. Sent again for an active endpoint, nothing changes.",
  reasons: ["bad_request", "not_found", "host_lookup_unavailable"],
  body: VerifyWebhookRequest,
  async handle({ params, body }, context) {
    const { principal, db, webhooks, now } = context;
    const ref = ownEndpoint(principal, params.id);
    const token = await checkToken(body.verification_token, ref, context);
    if (token.status === "pending_verification") {
      expectFresh(token);
      await checkUrl(token.url, context);
      // Not the request's own time: looking the host up takes seconds, and events of these have been told to others already.
      const activated = await activateEndpoint(db, ref, token.token_sealed, new Date(webhooks.now()));
      if (activated !== null) {
        if (activated.resumed > 0) await tell({ kind: "wake_endpoint", endpoint_id: String(ref.id) }, context);
        return { data: presentEndpoint(activated) };
      }
    }
    // Active already, or it has just become something else.
    const row = await findEndpoint(db, ref, now);
    if (row === null) throw noEndpoint(params.id);
    if (row.status === "active") return { data: presentEndpoint(row) };
    const message =
      row.status === "disabled"
        ? "The endpoint is disabled. Enable it first."
        : "The endpoint has changed meanwhile. A change of its URL has given it a new token.";
    throw new ApiError("bad_request", { param: "endpoint", message });
  },
});
