import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { generateSigningSecret } from "../../webhooks/rules/generate-secret.ts";
import { sealEndpointSecret } from "../../lib/crypto/endpoint-secrets.ts";
import { insertEndpoint } from "../../queries/webhooks/insert-endpoint.ts";
import { CreateWebhookRequest } from "./schemas/request-schemas.ts";
import { checkReceiverUrl, duplicateUrlError } from "./shared/check-receiver-url.ts";
import { createVerificationToken } from "./shared/create-verification-token.ts";
import { requireCaller } from "../owned-resource.ts";
import { randomBytes, sealOwnerOf } from "./shared/endpoint-access.ts";
import { presentEndpoint } from "./present/present-endpoint.ts";
import { WebhookEndpointResource } from "./schemas/schemas.ts";
import { unknownFilterWatchlist } from "./shared/unknown-filter-watchlist.ts";
import { WEBHOOK_OPERATION } from "./shared/webhook-operation.ts";

export const MAX_ENDPOINTS = 10;

export const createWebhook = defineOperation({
  ...WEBHOOK_OPERATION,
  kind: "single",
  id: "createWebhook",
  method: "post",
  path: "/api/v1/webhooks",
  summary: "Create a webhook endpoint.",
  description:
    "The response shows the signing secret and the verification token; no later response repeats them. " +
    "Nothing is delivered until the endpoint is verified with the token, within 24 hours. An account can " +
    "have at most ten endpoints; an eleventh is 400.",
  params: {},
  reasons: ["bad_request", "host_lookup_unavailable"],
  idempotent: true,
  object: "webhook",
  data: WebhookEndpointResource,
  body: CreateWebhookRequest,
  async handle({ body }, context) {
    const { principal, db, now } = context;
    const { accountId } = requireCaller(principal);
    const owner = sealOwnerOf({ accountId }, context);
    const receiver = await checkReceiverUrl(body.url, context);
    const signingSecret = generateSigningSecret(randomBytes);
    const token = await createVerificationToken(owner, now);
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
      MAX_ENDPOINTS,
      now,
    );
    switch (inserted.kind) {
      case "url_taken":
        throw duplicateUrlError();
      case "no_watchlist":
        throw unknownFilterWatchlist();
      case "full":
        throw new ApiError("bad_request", {
          param: "url",
          message: `This account has ${MAX_ENDPOINTS} endpoints. Delete one first.`,
        });
      case "inserted":
        return { data: presentEndpoint(inserted.row, { signingSecret, verification: token }) };
    }
  },
});
