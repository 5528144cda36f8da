import { z } from "zod";
import { EVENT_SPELLINGS } from "../../../events/registry.ts";
import { parseConditionId, parseId, parseWallet } from "../../../domain/ids.ts";
import { parseMicro } from "../../../domain/money.ts";
import { GRADES } from "../../../domain/traders/grades.ts";
import { MAX_FILTER_WALLETS } from "../../../domain/watchlists/watchlist-limits.ts";
import { ENDPOINT_STATUSES } from "../../../webhooks/rules/delivery-state.ts";
import { EXAMPLE_WALLET_ADDRESS } from "../../shared-fields.ts";
import { WALLET_PATTERN, WATCHLIST_ID_PATTERN } from "../../watchlists/schemas.ts";

const instant = (description: string) =>
  z.iso.datetime().meta({ description: `${description} UTC.`, example: "2026-11-20T12:00:00.000Z" });
const instantOrNull = (description: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description: `${description} UTC.`, example: null });

export const webhookFields = { instant, instantOrNull };

// The cast holds because the catalogue is not empty.
export const WebhookEventType = z.enum(EVENT_SPELLINGS as [string, ...string[]]).meta({
  id: "WebhookEventType",
  description:
    "An event type from GET /api/v1/webhooks/events. Some events have two spellings: either one registers " +
    "the event, and deliveries use the registered spelling.",
  examples: ["large_trade_inserted_v2"],
});

const isPositive = (text: string): boolean => (parseMicro(text) ?? 0n) > 0n;

export const LargeTradeSubscriptionFilters = z
  .strictObject({
    condition_id: z
      .string()
      .refine(
        (text) => parseConditionId(text) !== null || parseId("market", text) !== null,
        "Must be a condition id or a mkt_ id",
      )
      .optional()
      .meta({
        description: "Only trades of this market: its condition id or mkt_ id. All markets when omitted.",
        example: "mkt_7",
      }),
    wallet: z
      .string()
      .regex(/^0x[a-fA-F0-9]{40}$/)
      .refine((text) => parseWallet(text) !== null)
      .optional()
      .meta({
        description: "Only trades of the trader with this wallet address, case-insensitive. All traders when omitted.",
        example: EXAMPLE_WALLET_ADDRESS,
      }),
    wallets: z
      .array(z.string().regex(WALLET_PATTERN, "Expected 0x and 40 hex digits"))
      .min(1)
      .max(MAX_FILTER_WALLETS)
      .optional()
      .meta({
        description:
          `Only trades of these wallet addresses, 1 to ${MAX_FILTER_WALLETS}, case-insensitive. All traders when ` +
          "omitted; an empty array is 400.",
        examples: [[EXAMPLE_WALLET_ADDRESS]],
      }),
    watchlist: z
      .string()
      .regex(WATCHLIST_ID_PATTERN, "Expected a wl_ id")
      .optional()
      .meta({
        description:
          "Only trades of the wallets in this watchlist of the account, as the list is when the delivery is created. " +
          "An empty list matches no trade. An id that is not a watchlist of this account is 400.",
        example: "wl_5",
      }),
    min_grade: z
      .enum(GRADES)
      .optional()
      .meta({
        description:
          "Only trades of traders with this grade or a better one when the event was published; ungraded " +
          "traders never match. All traders when omitted.",
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
          "Minimum trade size in dollars, compared in cents (half a cent rounds up): a decimal string " +
          "above 0 with up to six decimals. All sizes when omitted.",
        example: "25000",
      }),
  })
  .refine(
    ({ wallet, wallets, watchlist }) =>
      [wallet, wallets, watchlist].filter((filter) => filter !== undefined).length <= 1,
    "Use one of wallet, wallets and watchlist",
  )
  .meta({
    id: "LargeTradeSubscriptionFilters",
    description:
      "Filters on the trades that large_trade_inserted_v2 delivers. A trade must match all given " +
      "filters; {} matches every trade. At most one of wallet, wallets and watchlist. Other events are not filtered.",
    example: { condition_id: "mkt_7", wallet: EXAMPLE_WALLET_ADDRESS, min_grade: "B", min_size_usd: "25000" },
  });

const WebhookRetryPolicy = z
  .object({
    max_attempts: z.int().meta({ description: "Maximum number of attempts of one delivery.", example: 8 }),
    terminal_status: z
      .literal("dead_letter")
      .meta({ description: "Status of a delivery after the last failed attempt." }),
    retry_horizon_seconds: z.int().meta({
      description:
        "Maximum total wait between the attempts of one delivery in seconds, unless the receiver requests " +
        "longer waits. Attempts are about a minute apart.",
      example: 504,
    }),
    disable_after_consecutive_failures: z.int().meta({
      example: 8,
      description:
        "Number of consecutive failed attempts, over all deliveries, that disables the endpoint. Any " +
        "success resets the count.",
    }),
  })
  .meta({ id: "WebhookRetryPolicy", description: "Retries when the receiver does not accept a delivery." });

const WebhookSecretRotation = z
  .object({
    status: z.enum(["idle", "pending", "overlap"]).meta({
      description:
        "idle: one secret signs and none is prepared. pending: a secret is prepared and does not sign " +
        "yet. overlap: the current and the previous secret both sign.",
      example: "idle",
    }),
    overlap_expires_at: instantOrNull("Time at which the previous secret stops signing; null outside an overlap."),
  })
  .meta({ id: "WebhookSecretRotation", description: "State of the rotation of the signing secret." });

export const WebhookEndpointResource = z
  .object({
    id: z.int().meta({ description: "Number of the endpoint.", example: 3 }),
    object: z.literal("webhook").meta({ description: "Always webhook." }),
    name: z.string().meta({ description: "Name chosen by the owner.", example: "Trade bot" }),
    url: z.url().meta({ description: "URL to which events are posted.", example: "https://hooks.example.com/trades" }),
    event_types: z
      .array(WebhookEventType)
      .meta({ description: "Registered event types, in the spelling that deliveries use." }),
    trade_filters: LargeTradeSubscriptionFilters,
    status: z.enum(ENDPOINT_STATUSES).meta({
      id: "WebhookStatus",
      description:
        "pending_verification: nothing is delivered until the endpoint is verified. active: events are " +
        "delivered. disabled: by the owner, after eight consecutive failures, or because the receiver " +
        "responded with 410.",
      examples: ["active"],
    }),
    verified_at: instantOrNull("Time at which the current URL was verified; null before that."),
    verification_token_expires_at: instant("Expiry of the latest verification token."),
    failure_count: z
      .int()
      .meta({ description: "Number of consecutive failed attempts, over all deliveries.", example: 0 }),
    created_at: instant("Time of creation."),
    updated_at: instant("Time of the last change."),
    retry_policy: WebhookRetryPolicy,
    secret_rotation: WebhookSecretRotation,
    signing_secret: z
      .string()
      .optional()
      .meta({
        description:
          "Secret that signs deliveries: whsec_ and 43 characters. Present only in responses that create, " +
          "prepare or activate it; omitted in all other responses.",
        example: "whsec_3q2L7vXo9mHc1TfYk5RjWn8ZpBdEsGuAiVxKyMtQwJ4",
      }),
    verification: z
      .object({
        token: z.string().meta({
          description: "Token that verifies the endpoint: whv_ and 32 hex digits.",
          example: "whv_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
        }),
        expires_at: instant("Expiry of the token, 24 hours after its creation."),
      })
      .optional()
      .meta({
        id: "WebhookVerification",
        description:
          "The token to verify the endpoint with. Present only in the response that creates the endpoint " +
          "or changes its URL; omitted in all other responses.",
      }),
  })
  .meta({ id: "WebhookEndpoint", description: "An endpoint to which events are posted." });

export const WebhookEventDescriptor = z
  .object({
    id: WebhookEventType,
    description: z.string().meta({
      description: "Condition under which the event occurs.",
      example: "Large trades have been recorded together; tells how many.",
    }),
    payload_shape: z.string().meta({
      description: "Name of the schema of the event data.",
      example: "WebhookCountData",
    }),
    status: z.enum(["active", "dormant"]).meta({
      description: "active: the event can occur. dormant: the event can be registered but does not occur at present.",
      example: "active",
    }),
  })
  .meta({ id: "WebhookEventDescriptor", description: "An event type that endpoints can register." });
