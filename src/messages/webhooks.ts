import { z } from "zod";

/**
 * Says that an endpoint may have deliveries due, or that an attempt to verify one may be. Whoever gets it looks for itself, so that it may
 * come twice, late, or for nothing.
 */
export const WebhookMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("wake_endpoint"), endpoint_id: z.string().regex(/^\d{1,19}$/) }),
  z.object({ kind: z.literal("verify_receiver"), attempt_id: z.uuid() }),
]);

export type WebhookMessage = z.output<typeof WebhookMessage>;
