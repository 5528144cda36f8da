import { z } from "zod";
import { SCHEDULE_REASONS } from "../../../webhooks/rules/delivery-state.ts";
import { VERIFICATION_OUTCOMES, VERIFICATION_STATES } from "../../../webhooks/rules/verify-schedule.ts";
import { WebhookEventType, webhookFields } from "./schemas.ts";

const { instant, instantOrNull } = webhookFields;

export const WebhookDelivery = z
  .object({
    id: z.int().meta({
      description: "Number of the delivery. It is the same in all attempts and in their headers.",
      example: 981,
    }),
    object: z.literal("webhook_delivery").meta({ description: "Always webhook_delivery." }),
    event_id: z.string().meta({
      description:
        "Unique id of the event. It is the same in all attempts, and when the same trade, flag, synced trader, grade or " +
        "job is recorded again after a restore of the database.",
      example: "evt_5b0f7c2d9e310a6801d2c3e4f5061728",
    }),
    event_type: WebhookEventType,
    status: z.string().meta({
      description:
        "pending: not attempted yet. processing: an attempt is in flight. retry: an attempt failed and " +
        "another one follows. delivered: the receiver accepted it. dead_letter: there are no further attempts.",
      example: "delivered",
    }),
    attempt_count: z.int().meta({ description: "Number of attempts so far.", example: 1 }),
    last_response_status: z
      .int()
      .optional()
      .meta({
        description:
          "HTTP status of the response to the last attempt. Omitted before the first attempt, and when " +
          "there was no response.",
        example: 200,
      }),
    last_error: z.string().optional().meta({
      description: "Last error. Omitted when there was none.",
      example: "The receiver answered 500.",
    }),
    delivered_at: instant("Time at which the receiver first accepted the delivery. Omitted before that.").optional(),
    next_attempt_at: instantOrNull(
      "Time of the next attempt; null while an attempt is in flight, and when no attempt follows.",
    ),
    retry_schedule_reason: z
      .enum(SCHEDULE_REASONS)
      .nullable()
      .meta({
        description:
          "Reason for the time of the next attempt. receiver_retry_after: the receiver sent Retry-After. " +
          "transient_failure: a failure that may be temporary. permanent_or_auth_failure: a failure that " +
          "may be permanent. manual_redelivery: the owner requested it. configuration_changed: the " +
          "endpoint was changed. Null for a first attempt, and when next_attempt_at is null.",
        example: null,
      }),
    created_at: instant("Time at which the delivery was created."),
  })
  .meta({
    id: "WebhookDelivery",
    description: "The delivery of one event to one endpoint. It never contains the posted body or the secret.",
  });

export const WebhookVerificationAttempt = z
  .object({
    id: z.uuid().meta({ description: "Id of the attempt.", example: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11" }),
    object: z.literal("webhook_verification_attempt").meta({ description: "Always webhook_verification_attempt." }),
    webhook_id: z.int().meta({ description: "Number of the endpoint.", example: 3 }),
    state: z.enum(VERIFICATION_STATES).meta({
      description:
        "queued: a challenge is scheduled. running: a challenge is in flight. verified, failed, cancelled " +
        "and expired are final.",
      example: "queued",
    }),
    outcome: z
      .enum(VERIFICATION_OUTCOMES)
      .nullable()
      .meta({
        description:
          "Result of the last challenge, or the reason for the end of the attempt. verified: the receiver " +
          "responded with 2xx. target_rejected: the URL is not allowed. challenge_timeout: no response " +
          "within 10 seconds. transport_failed: no connection. receiver_rejected: a response other than " +
          "2xx. token_expired: the verification token has expired. endpoint_changed: the endpoint no " +
          "longer waits for verification, or has another URL. owner_revoked: the account may no longer " +
          "use webhooks. attempts_exhausted: all four challenges failed. internal_error: a failure of " +
          "this service. Null before the first challenge ends.",
        example: null,
      }),
    attempt_count: z.int().min(0).max(4).meta({ description: "Number of challenges so far.", example: 0 }),
    max_attempts: z.int().meta({ description: "Maximum number of challenges.", example: 4 }),
    expires_at: instant(
      "Latest end of the attempt: 15 minutes after its start, or the expiry of the token if that is earlier.",
    ),
    next_attempt_at: instantOrNull("Time of the next challenge; null unless the state is queued."),
    last_response_status: z.int().min(100).max(599).nullable().meta({
      description: "HTTP status of the last response; null before the first one.",
      example: null,
    }),
    started_at: instantOrNull("Start of the first challenge; null before that."),
    completed_at: instantOrNull("End of the attempt; null before that."),
    created_at: instant("Time at which the attempt was requested."),
    updated_at: instant("Time of the last change."),
    status_url: z.string().meta({
      description: "Path of this attempt, relative to the API.",
      example: "/api/v1/webhooks/3/verification-attempts/3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
    }),
  })
  .meta({
    id: "WebhookVerificationAttempt",
    description:
      "An attempt to verify an endpoint by a signed challenge, posted up to four times until the receiver " +
      "responds with 2xx.",
  });

export const WebhookTest = z
  .object({
    object: z.literal("webhook_test").meta({ description: "Always webhook_test." }),
    delivered: z.boolean().meta({ description: "Whether the receiver responded with 2xx in time.", example: true }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: "HTTP status of the response; null when there was none.", example: 200 }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Error of the request; null when there was none.", example: null }),
    duration_ms: z.int().meta({ description: "Duration of the request in milliseconds.", example: 84 }),
  })
  .meta({ id: "WebhookTest", description: "Result of a test event." });
