import { z } from "zod";
import { LargeTradeSubscriptionFilters, WebhookEventType } from "./schemas.ts";

const name = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "Name of the endpoint, chosen by you, 1 to 100 characters.", example: "Trade bot" });
const url = z
  .string()
  .min(1)
  .max(2048)
  .meta({
    description:
      "URL to which events are posted: https, port 443, a public host, no user name or password, and " +
      "different from the URLs of the account's other endpoints. Any other URL is 400.",
    format: "uri",
    example: "https://hooks.example.com/trades",
  });
const eventTypes = z
  .array(WebhookEventType)
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)])
  .meta({
    description: "Event types to deliver, at least one. Duplicates are removed.",
    examples: [["large_trade_inserted_v2"]],
  });

export const CreateWebhookRequest = z
  .strictObject({ name, url, event_types: eventTypes, trade_filters: LargeTradeSubscriptionFilters.optional() })
  .meta({
    id: "CreateWebhookRequest",
    description:
      "A new endpoint. Without `trade_filters`, every large trade is delivered if its event type is registered.",
    examples: [
      {
        ...{
          name: "Trade bot",
          url: "https://hooks.example.com/trades",
          event_types: ["large_trade_inserted_v2", "wallet_grade_changed"],
        },
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
    enabled: z
      .boolean()
      .optional()
      .meta({
        description:
          "false stops deliveries and moves pending deliveries to dead_letter. true re-enables a disabled " +
          "endpoint. Unchanged when omitted.",
        example: true,
      }),
  })
  .meta({
    id: "UpdateWebhookRequest",
    description: "The fields to change. Omitted fields stay unchanged.",
    examples: [{ name: "Trade bot", enabled: true }],
  });

const verificationToken = z.string().min(1).max(255).meta({
  description: "The token that was returned when the endpoint was created or its URL was changed.",
  example: "whv_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
});

export const VerifyWebhookRequest = z.strictObject({ verification_token: verificationToken }).meta({
  id: "VerifyWebhookRequest",
  description: "The token that verifies the endpoint.",
});

export const CreateWebhookVerificationAttemptRequest = z.strictObject({ verification_token: verificationToken }).meta({
  id: "CreateWebhookVerificationAttemptRequest",
  description: "The token that the challenge sends to the receiver.",
});
