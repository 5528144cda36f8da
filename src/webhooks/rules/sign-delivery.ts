import { memoSettled } from "../../lib/memo-settled.ts";

const encoder = new TextEncoder();

export interface SignableBody {
  /** The same in every retry: receivers detect duplicates by it. */
  readonly id: string;
  /** Signed and posted byte for byte, as UTF-8. */
  readonly body: string;
}

export interface SigningSettings {
  /**
   * As registered, including `whsec_`: the active secret, and during an overlap also the previous one. Each
   * signs.
   */
  readonly secrets: readonly string[];
  /** The prefix of our own headers, for example `x-service`. */
  readonly headerPrefix: string;
  readonly nowMs: number;
}

export interface DeliveryAttempt extends SignableBody {
  readonly eventType: string;
  /** The delivery row's id, decimal. */
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
}

/** The headers of one attempt: the signatures of every secret, and the delivery's metadata. */
export async function signDelivery(
  delivery: DeliveryAttempt,
  settings: SigningSettings,
): Promise<Record<string, string>> {
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
 * Ours: `v1=` and hex of HMAC-SHA-256 over `<timestamp>.<body>`, keyed with the whole secret as text; several
 * signatures are separated by commas. Standard Webhooks 1.0.0
 * (github.com/standard-webhooks/standard-webhooks): `v1,` and base64 of HMAC-SHA-256 over
 * `<id>.<timestamp>.<body>`, keyed with the base64-decoded part after `whsec_`; several signatures are
 * separated by spaces.
 */
export async function signBody(
  { id, body }: SignableBody,
  { secrets, headerPrefix, nowMs }: SigningSettings,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const keys = await Promise.all(secrets.map((secret) => getKeys(secret)));
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

interface SigningKeys {
  readonly own: CryptoKey;
  readonly standard: CryptoKey;
}

/** The keys of a secret. An isolate signs for few endpoints at a time. */
const getKeys = memoSettled(200, (secret: string) => secret, importKeys);

async function importKeys(secret: string): Promise<SigningKeys> {
  const standard = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (char) => char.charCodeAt(0));
  return { own: await importKey(encoder.encode(secret)), standard: await importKey(standard) };
}

const importKey = (bytes: ArrayBufferView): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const hmac = async (key: CryptoKey, text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
