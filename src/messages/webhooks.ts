import { z } from "zod";

/**
 * Says that an endpoint may have deliveries due, that an attempt to verify one may be, or that an owner may have to be told that one was
 * disabled; `mail_key` is the same for all messages about one time that it was. Whoever gets it looks for itself, so that it may come twice,
 * late, or for nothing.
 */
export const WebhookMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("wake_endpoint"), endpoint_id: z.string().regex(/^\d{1,19}$/) }),
  z.object({ kind: z.literal("verify_receiver"), attempt_id: z.uuid() }),
  z.object({ kind: z.literal("tell_owner"), endpoint_id: z.string().regex(/^\d{1,19}$/), mail_key: z.uuid() }),
]);

export type WebhookMessage = z.output<typeof WebhookMessage>;
