import { z } from "zod";
import { EVENT_SPELLINGS } from "../../domain/event-catalogue.ts";
import { parseConditionId, parseId, parseWallet } from "../../domain/ids.ts";
import { parseMicro } from "../../domain/money.ts";
import { GRADES } from "../../domain/grades.ts";
import { EXAMPLE_WALLET } from "../fields.ts";

const instant = (description: string) => z.iso.datetime().meta({ description: `${description} UTC.`, example: "2026-11-20T12:00:00.000Z" });
const instantOrNull = (description: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description: `${description} UTC.`, example: null });

export const webhookFields = { instant, instantOrNull };

// The catalogue is not empty, which a list of unknown length cannot say.
export const WebhookEventType = z.enum(EVENT_SPELLINGS as [string, ...string[]]).meta({
  id: "WebhookEventType",
  description:
    "An event, as GET /api/v1/webhooks/events lists them. Some have two spellings: either registers the event, and deliveries carry the one that was registered.",
  examples: ["large_trade_inserted_v2"],
});

const isPositive = (text: string): boolean => (parseMicro(text) ?? 0n) > 0n;

export const LargeTradeSubscriptionFilters = z
  .strictObject({
    condition_id: z
      .string()
      .refine((text) => parseConditionId(text) !== null || parseId("market", text) !== null, "Must be a condition id or a mkt_ id")
      .optional()
      .meta({ description: "Only trades of this market: its condition id or mkt_ id. Left out, of every market.", example: "mkt_7" }),
    wallet: z
      .string()
      .regex(/^0x[a-fA-F0-9]{40}$/)
      .refine((text) => parseWallet(text) !== null)
      .optional()
      .meta({ description: "Only trades of this wallet, in upper or lower case. Left out, of every wallet.", example: EXAMPLE_WALLET }),
    min_grade: z.enum(GRADES).optional().meta({
      description:
        "Only trades of wallets with this grade or a better one when the event was published; ungraded ones never pass. Left out, of every grade.",
      example: "B",
    }),
    min_size_usd: z
      .string()
      .max(30)
      .regex(/^[0-9]+(\.[0-9]{1,6})?$/)
      .refine(isPositive, "Must be more than 0")
      .optional()
      .meta({
        description:
          "Only trades of at least so many dollars, half a cent counting as a cent: a decimal text with up to six decimals, above 0. Left out, of every size.",
        example: "25000",
      }),
  })
  .meta({
    id: "LargeTradeSubscriptionFilters",
    description:
      "Which trades large_trade_inserted_v2 is sent for: all that are given have to hold, and {} lets every trade pass. Other events are not filtered.",
  });

const WebhookRetryPolicy = z
  .object({
    max_attempts: z.int().meta({ description: "Attempts of one delivery, at most.", example: 8 }),
    terminal_status: z.literal("dead_letter").meta({ description: "What becomes of a delivery after the last of them." }),
    retry_horizon_seconds: z.int().meta({
      description: "How long they take at most, in seconds, when the receiver asks for no longer waits: they are about a minute apart.",
      example: 504,
    }),
    disable_after_consecutive_failures: z.int().meta({
      example: 8,
      description: "Failed attempts in a row, over all deliveries, that disable the endpoint. Any success begins the count anew.",
    }),
  })
  .meta({ id: "WebhookRetryPolicy", description: "What is done when the receiver does not accept a delivery." });

const WebhookSecretRotation = z
  .object({
    status: z.enum(["idle", "pending", "overlap"]).meta({
      description:
        "pending: a secret is prepared and does not sign yet. overlap: the secret in force and the one before it both sign. idle: neither.",
      example: "idle",
    }),
    overlap_expires_at: instantOrNull("When the older secret stops signing; null outside an overlap."),
  })
  .meta({ id: "WebhookSecretRotation", description: "Where a planned change of the signing secret stands." });

export const WebhookEndpoint = z
  .object({
    id: z.int().meta({ description: "Number of the endpoint.", example: 3 }),
    object: z.literal("webhook").meta({ description: "Always webhook." }),
    name: z.string().meta({ description: "The owner's name for it.", example: "Trade bot" }),
    url: z.url().meta({ description: "Where events are posted.", example: "https://hooks.example.com/trades" }),
    event_types: z.array(WebhookEventType).meta({ description: "The events it is sent, in the spellings that its deliveries carry." }),
    trade_filters: LargeTradeSubscriptionFilters,
    status: z.enum(["pending_verification", "active", "disabled"]).meta({
      id: "WebhookStatus",
      description:
        "pending_verification: nothing is sent until it is verified. active: deliveries go out. disabled: by its owner, by eight failures in a row, or because the receiver answered 410.",
      examples: ["active"],
    }),
    verified_at: instantOrNull("When its present URL was verified; null before."),
    verification_token_expires_at: instant("Until when the token that was last given out for it can be used."),
    failure_count: z.int().meta({ description: "Attempts that failed in a row, over all its deliveries.", example: 0 }),
    created_at: instant("When it was made."),
    updated_at: instant("When it was changed last."),
    retry_policy: WebhookRetryPolicy,
    secret_rotation: WebhookSecretRotation,
    signing_secret: z.string().optional().meta({
      description:
        "Signs deliveries: whsec_ and 43 characters. Shown in the answers that make, prepare or activate it and never again; left out of all others.",
      example: "whsec_3q2L7vXo9mHc1TfYk5RjWn8ZpBdEsGuAiVxKyMtQwJ4",
    }),
    verification: z
      .object({
        token: z.string().meta({
          description: "What verifies the endpoint: whv_ and 32 hex digits.",
          example: "whv_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
        }),
        expires_at: instant("Until when it can be used: 24 hours."),
      })
      .optional()
      .meta({
        id: "WebhookVerification",
        description: "How to verify the endpoint. Only in the answer that makes it or changes its URL; left out of all others.",
      }),
  })
  .meta({ id: "WebhookEndpoint", description: "An address that events are posted to." });

export const WebhookEventDescriptor = z
  .object({
    id: WebhookEventType,
    description: z.string().meta({ description: "When it fires.", example: "Large trades have been recorded together; tells how many." }),
    payload_shape: z.string().meta({
      description: "The name of its data's schema.",
      example: "WebhookCountData",
    }),
    status: z.enum(["active", "dormant"]).meta({
      description: "dormant: it can be registered, and nothing makes it fire at present.",
      example: "active",
    }),
  })
  .meta({ id: "WebhookEventDescriptor", description: "An event that endpoints can register." });
