import { z } from "zod";
import { LargeTradeSubscriptionFilters, WebhookEventType } from "./schemas.ts";

const name = z.string().min(1).max(100).meta({ description: "A name of your own, 1 to 100 characters.", example: "Trade bot" });
const url = z.string().min(1).max(2048).meta({
  description:
    "Where events are posted: https, port 443, a public host, no user name or password. No other endpoint of the account has it. Refused with 400 otherwise.",
  format: "uri",
  example: "https://hooks.example.com/trades",
});
const eventTypes = z
  .array(WebhookEventType)
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)])
  .meta({ description: "The events to be sent, at least one. Repeats are dropped.", examples: [["large_trade_inserted_v2"]] });

export const CreateWebhookRequest = z
  .strictObject({ name, url, event_types: eventTypes, trade_filters: LargeTradeSubscriptionFilters.optional() })
  .meta({
    id: "CreateWebhookRequest",
    description: "A new endpoint. Without trade_filters it is sent every large trade it asks for.",
    examples: [
      {
        ...{ name: "Trade bot", url: "https://hooks.example.com/trades", event_types: ["large_trade_inserted_v2", "wallet_grade_changed"] },
        trade_filters: { min_grade: "B", min_size_usd: "25000" },
      },
    ],
  });

export const UpdateWebhookRequest = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    event_types: eventTypes.optional(),
    trade_filters: LargeTradeSubscriptionFilters.optional(),
    enabled: z.boolean().optional().meta({
      description:
        "false stops deliveries, and what waits becomes dead letters. true lets a disabled endpoint go on. Left out, it stays as it is.",
      example: true,
    }),
  })
  .meta({
    id: "UpdateWebhookRequest",
    description: "What is to be different. What is left out stays as it is.",
    examples: [{ name: "Trade bot", enabled: true }],
  });

const verificationToken = z.string().min(1).max(255).meta({
  description: "The token that was given when the endpoint was made or its URL changed.",
  example: "whv_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
});

export const VerifyWebhookRequest = z.strictObject({ verification_token: verificationToken }).meta({
  id: "VerifyWebhookRequest",
  description: "Proof that the endpoint is yours.",
});

export const CreateWebhookVerificationAttemptRequest = z.strictObject({ verification_token: verificationToken }).meta({
  id: "CreateWebhookVerificationAttemptRequest",
  description: "The token that the receiver is challenged with.",
});
