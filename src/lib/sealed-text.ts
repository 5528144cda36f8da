import { fromBase64Url, toBase64Url } from "./hmac.ts";

/** A secret, and what the key made from it is for: texts sealed for one purpose open for no other. */
export interface SealedWith {
  readonly secret: string;
  readonly purpose: string;
}

/** How a text was sealed. Another way gets another prefix, so that both can be told apart. */
const VERSION = "v1.";
const NONCE_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const keys = new Map<string, Promise<CryptoKey>>();

/**
 * A text that nobody reads or changes without the secret: `v1.` and, in base64url, nonce, ciphertext and tag.
 *
 * @param belongsTo what it was sealed for; with anything else it does not open
 * Source: AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce, good for 2^32 texts of one key; the key is HKDF-SHA-256 (RFC 5869) of
 *   the secret without salt, with the purpose as info.
 */
export async function sealText(
  text: string,
  belongsTo: string,
  sealedWith: SealedWith,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> {
  const nonce = random(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(gcm(nonce, belongsTo), await deriveKey(sealedWith), encoder.encode(text));
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(nonce);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return VERSION + toBase64Url(bytes);
}

/** @returns null for what was not sealed with this secret, for this purpose, and as belonging to this */
export async function openSealedText(sealed: string, belongsTo: string, sealedWith: SealedWith): Promise<string | null> {
  const bytes = sealed.startsWith(VERSION) ? fromBase64Url(sealed.slice(VERSION.length)) : null;
  if (bytes === null) return null;
  const key = await deriveKey(sealedWith);
  try {
    const text = await crypto.subtle.decrypt(gcm(bytes.slice(0, NONCE_BYTES), belongsTo), key, bytes.slice(NONCE_BYTES));
    return decoder.decode(text);
  } catch {
    return null;
  }
}

const gcm = (iv: Uint8Array<ArrayBuffer>, belongsTo: string) => ({ name: "AES-GCM", iv, additionalData: encoder.encode(belongsTo) });

/** Once an isolate, as for HMAC. */
function deriveKey({ secret, purpose }: SealedWith): Promise<CryptoKey> {
  const id = JSON.stringify([secret, purpose]);
  let key = keys.get(id);
  if (key === undefined) {
    key = derive(secret, purpose);
    keys.set(id, key);
  }
  return key;
}

async function derive(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const way = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) };
  return crypto.subtle.deriveKey(way, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
