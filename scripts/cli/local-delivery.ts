import { MAX_ATTEMPTS } from "../../src/webhooks/rules/retry-schedule.ts";
import { signDelivery } from "../../src/webhooks/rules/sign-delivery.ts";
import { UsageError } from "./exit-codes.ts";

/** As an endpoint's secret: `whsec_` and 32 bytes. */
export const generateSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;

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
