const encoder = new TextEncoder();

export interface Signed {
  /** Stable over retries: receivers tell repeats by it. */
  readonly id: string;
  /** Signed and posted byte for byte, as UTF-8. */
  readonly body: string;
}

export interface SigningSettings {
  /** As registered, `whsec_` included: the one in force, and during an overlap the one before it. Each signs. */
  readonly secrets: readonly string[];
  /** What our own headers begin with, as in `x-service`. */
  readonly headerPrefix: string;
  readonly nowMs: number;
}

export interface DeliveryAttempt extends Signed {
  readonly eventType: string;
  /** The delivery row's id, decimal. */
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
}

/** The headers of one attempt: signatures by every secret, and what is delivered. */
export async function signDelivery(delivery: DeliveryAttempt, settings: SigningSettings): Promise<Record<string, string>> {
  const { headerPrefix } = settings;
  return {
    ...(await signBody(delivery, settings)),
    [`${headerPrefix}-event-id`]: delivery.id,
    [`${headerPrefix}-event-type`]: delivery.eventType,
    [`${headerPrefix}-delivery-id`]: delivery.deliveryId,
    [`${headerPrefix}-delivery-attempt`]: String(delivery.attempt),
  };
}

/**
 * The signatures of a body, in our own form and in that of Standard Webhooks.
 *
 * Ours: `v1=` and hex of HMAC-SHA-256 over `<timestamp>.<body>`, keyed with the whole secret as text; several are separated by commas.
 * Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks): `v1,` and base64 of HMAC-SHA-256 over `<id>.<timestamp>.<body>`,
 * keyed with the bytes that the part after `whsec_` is base64 of; several are separated by spaces.
 */
export async function signBody({ id, body }: Signed, { secrets, headerPrefix, nowMs }: SigningSettings): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const keys = await Promise.all(secrets.map(keysOf));
  const own = keys.map(async (key) => `v1=${toHex(await hmac(key.own, `${timestamp}.${body}`))}`);
  const standard = keys.map(async (key) => `v1,${toBase64(await hmac(key.standard, `${id}.${timestamp}.${body}`))}`);
  return {
    [`${headerPrefix}-signature`]: (await Promise.all(own)).join(","),
    [`${headerPrefix}-timestamp`]: timestamp,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(standard)).join(" "),
  };
}

interface Keys {
  readonly own: CryptoKey;
  readonly standard: CryptoKey;
}

/** Made once for many deliveries, and forgotten all together: an isolate signs for few endpoints at a time. */
const KEPT = 200;
const kept = new Map<string, Promise<Keys>>();

function keysOf(secret: string): Promise<Keys> {
  let keys = kept.get(secret);
  if (keys === undefined) {
    if (kept.size >= KEPT) kept.clear();
    keys = importKeys(secret);
    kept.set(secret, keys);
  }
  return keys;
}

async function importKeys(secret: string): Promise<Keys> {
  const standard = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (char) => char.charCodeAt(0));
  return { own: await importKey(encoder.encode(secret)), standard: await importKey(standard) };
}

const importKey = (bytes: ArrayBufferView): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const hmac = async (key: CryptoKey, text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
