import { generateSigningSecret } from "../../src/webhooks/rules/generate-secret.ts";
import { MAX_ATTEMPTS } from "../../src/webhooks/rules/retry-schedule.ts";
import { signDelivery } from "../../src/webhooks/rules/sign-delivery.ts";
import { UsageError } from "./exit-codes.ts";

const SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/;

/**
 * The secret that signs: the given one, or one as an endpoint gets.
 *
 * @throws UsageError for a text that receivers of Standard Webhooks cannot decode
 */
export function secretOf(given: unknown): string {
  if (given === undefined) return generateSigningSecret((bytes) => crypto.getRandomValues(bytes));
  if (typeof given !== "string" || !SECRET.test(given)) throw new UsageError("A secret is whsec_ and base64.");
  return given;
}

const RECEIVER_MS = 15_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface LocalDelivery {
  readonly url: string;
  readonly secret: string;
  readonly headerPrefix: string;
  readonly deliveryId: string;
  readonly event: { readonly id: string; readonly type: string };
}

/** @throws UsageError for a URL that is not on this machine */
export function parseLocalUrl(text: string | boolean | undefined, option: string): string {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !LOOPBACK.test(url.hostname))
    throw new UsageError(`${option} must be an http URL on localhost. A public receiver registers a webhook.`);
  return url.href;
}

/** Posts one attempt, signed as the product signs. @returns the status, or what went wrong */
export async function attemptDelivery(
  delivery: LocalDelivery,
  attempt: number,
  signal: AbortSignal,
): Promise<number | string> {
  const { url, secret, headerPrefix, deliveryId, event } = delivery;
  const body = JSON.stringify(event);
  const headers = await signDelivery(
    { id: event.id, body, eventType: event.type, deliveryId, attempt },
    { secrets: [secret], headerPrefix, nowMs: Date.now() },
  );
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

export const isDelivered = (result: number | string): boolean =>
  typeof result === "number" && result >= 200 && result < 300;

export { MAX_ATTEMPTS };
