import { z } from "zod";

/**
 * The id of the HTTP request that enqueued the message, for log lines; absent where a sweep or an object did.
 */
const origin = { request_id: z.string().max(80).optional() };

/**
 * A wake-up: an endpoint may have due deliveries, a verification attempt may be due, or an owner may have to
 * be notified that an endpoint was disabled. `mail_key` is the same for all messages about one disablement.
 * The consumer checks the state itself, so a message may arrive twice, late or without need.
 */
export const WebhookMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("wake_endpoint"), endpoint_id: z.string().regex(/^\d{1,19}$/), ...origin }),
  z.object({ kind: z.literal("verify_receiver"), attempt_id: z.uuid(), ...origin }),
  z.object({
    kind: z.literal("tell_owner"),
    endpoint_id: z.string().regex(/^\d{1,19}$/),
    mail_key: z.uuid(),
    ...origin,
  }),
]);

export type WebhookMessage = z.output<typeof WebhookMessage>;
