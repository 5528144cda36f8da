import { z } from "zod";
import { WebhookEventType, webhookFields } from "./schemas.ts";

const { instant, instantOrNull } = webhookFields;

export const WebhookDelivery = z
  .object({
    id: z.int().meta({ description: "Number of the delivery: the same over its attempts, and in their headers.", example: 981 }),
    object: z.literal("webhook_delivery").meta({ description: "Always webhook_delivery." }),
    event_id: z
      .string()
      .meta({ description: "The event's id: the same over all attempts, and unlike any other event's.", example: "evt_1_4711" }),
    event_type: WebhookEventType,
    status: z.string().meta({
      description:
        "pending: not attempted yet. processing: an attempt is under way. retry: it failed and is attempted again. delivered. dead_letter: it is not attempted any more.",
      example: "delivered",
    }),
    attempt_count: z.int().meta({ description: "Attempts so far.", example: 1 }),
    last_response_status: z.int().optional().meta({
      description: "The HTTP status of the last attempt's answer. Left out before the first attempt, and where there was no answer.",
      example: 200,
    }),
    last_error: z.string().optional().meta({
      description: "What went wrong last. Left out when nothing did.",
      example: "The receiver answered 500.",
    }),
    delivered_at: instant("When the receiver first accepted it. Left out before.").optional(),
    next_attempt_at: instantOrNull("When it is attempted next; null while an attempt is under way, and once it is over."),
    retry_schedule_reason: z
      .enum(["receiver_retry_after", "transient_failure", "permanent_or_auth_failure", "manual_redelivery", "configuration_changed"])
      .nullable()
      .meta({
        description:
          "Why it is attempted then: the receiver's Retry-After, a failure that may pass, one that may not, its owner's wish, or a change of the endpoint. Null for a first attempt, and as next_attempt_at is.",
        example: null,
      }),
    created_at: instant("When it was made."),
  })
  .meta({
    id: "WebhookDelivery",
    description: "One event on its way to one endpoint. What is posted, and the secret, are never part of it.",
  });

export const WebhookVerificationAttempt = z
  .object({
    id: z.uuid().meta({ description: "Id of the attempt.", example: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11" }),
    object: z.literal("webhook_verification_attempt").meta({ description: "Always webhook_verification_attempt." }),
    webhook_id: z.int().meta({ description: "Number of the endpoint.", example: 3 }),
    state: z.enum(["queued", "running", "verified", "failed", "cancelled", "expired"]).meta({
      description: "queued: a challenge is to come. running: one is under way. The other four are the end.",
      example: "queued",
    }),
    outcome: z
      .enum([
        ...(["verified", "target_rejected", "challenge_timeout", "transport_failed", "receiver_rejected", "token_expired"] as const),
        ...(["endpoint_changed", "owner_revoked", "attempts_exhausted", "internal_error"] as const),
      ])
      .nullable()
      .meta({
        description:
          "What came of the last challenge, or ended the attempt. target_rejected: the URL may not be posted to. challenge_timeout: no answer within 10 seconds. transport_failed: no connection. receiver_rejected: an answer other than 2xx. endpoint_changed: it does not wait for verification any more, or not with this URL. owner_revoked: its account may not use webhooks any more. attempts_exhausted: all four challenges failed. internal_error: a failure of ours. Null before the first.",
        example: null,
      }),
    attempt_count: z.int().min(0).max(4).meta({ description: "Challenges so far.", example: 0 }),
    max_attempts: z.int().meta({ description: "Challenges, at most.", example: 4 }),
    expires_at: instant("When it ends at the latest: 15 minutes after it began, or with the token."),
    next_attempt_at: instantOrNull("When the next challenge is posted; null unless the state is queued."),
    last_response_status: z.int().min(100).max(599).nullable().meta({
      description: "The HTTP status of the last answer; null before the first.",
      example: null,
    }),
    started_at: instantOrNull("When the first challenge was begun; null before."),
    completed_at: instantOrNull("When it ended; null before."),
    created_at: instant("When it was asked for."),
    updated_at: instant("When it changed last."),
    status_url: z.string().meta({
      description: "Where it is read again, relative to the API.",
      example: "/api/v1/webhooks/3/verification-attempts/3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
    }),
  })
  .meta({
    id: "WebhookVerificationAttempt",
    description: "An attempt to verify an endpoint by a signed challenge, posted up to four times until the receiver answers 2xx.",
  });

export const WebhookTest = z
  .object({
    object: z.literal("webhook_test").meta({ description: "Always webhook_test." }),
    delivered: z.boolean().meta({ description: "Whether the receiver answered 2xx in time.", example: true }),
    response_status: z.int().nullable().meta({ description: "The HTTP status of its answer; null where there was none.", example: 200 }),
    error: z.string().nullable().meta({ description: "What went wrong; null when nothing did.", example: null }),
    duration_ms: z.int().meta({ description: "Milliseconds from the beginning of the request to its end.", example: 84 }),
  })
  .meta({ id: "WebhookTest", description: "What came of a test event." });
