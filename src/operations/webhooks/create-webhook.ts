import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { makeSigningSecret } from "../../domain/webhooks/make-secret.ts";
import { sealEndpointSecret } from "../../lib/endpoint-secrets.ts";
import { insertEndpoint } from "../../queries/webhooks/insert-endpoint.ts";
import { CreateWebhookRequest } from "./bodies.ts";
import { checkUrl, urlTaken } from "./check-url.ts";
import { makeToken } from "./make-token.ts";
import { callerOf, randomBytes, sealedFor } from "./owned.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { WebhookEndpoint } from "./schemas.ts";
import { WEBHOOK_OPERATION } from "./webhook-operation.ts";

const MOST_ENDPOINTS = 10;

export const createWebhook = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "createWebhook",
  method: "post",
  path: "/api/v1/webhooks",
  summary: "Make a webhook endpoint.",
  description:
    "The answer shows its signing secret and its verification token, which no other answer does. Nothing is sent until the token has verified it, within 24 hours. An account has at most ten endpoints; an eleventh is refused with 400.",
  params: {},
  reasons: ["bad_request", "host_lookup_unavailable"],
  idempotent: true,
  object: "webhook",
  data: WebhookEndpoint,
  body: CreateWebhookRequest,
  async handle({ body }, context) {
    const { principal, db, now } = context;
    const { accountId } = callerOf(principal);
    const owner = sealedFor({ accountId }, context);
    const receiver = await checkUrl(body.url, context);
    const signingSecret = makeSigningSecret(randomBytes);
    const token = await makeToken(owner, now);
    const inserted = await insertEndpoint(
      db,
      {
        accountId,
        name: body.name,
        receiver,
        eventTypes: body.event_types,
        tradeFilters: body.trade_filters ?? {},
        secretSealed: await sealEndpointSecret("signing secret", signingSecret, owner, randomBytes),
        token,
      },
      MOST_ENDPOINTS,
      now,
    );
    switch (inserted.kind) {
      case "url_taken":
        throw urlTaken();
      case "full":
        throw new ApiError("bad_request", { param: "url", message: `This account has ${MOST_ENDPOINTS} endpoints. Delete one first.` });
      case "inserted":
        return { data: presentEndpoint(inserted.row, { signingSecret, verification: token }) };
    }
  },
});
