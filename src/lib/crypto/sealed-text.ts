import { LRUCache } from "lru-cache";
import { fromBase64Url, toBase64Url } from "./hmac.ts";

/**
 * A secret and the purpose of the key derived from it. A text sealed for one purpose does not open for
 * another.
 */
export interface SealingKey {
  readonly secret: string;
  readonly purpose: string;
}

/** Format version. A new format needs a new prefix. */
const VERSION = "v1.";
const NONCE_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Derived keys by secret and purpose, as JSON. */
const keys = new LRUCache<string, Promise<CryptoKey>, SealingKey>({
  max: 50,
  memoMethod: (_id, _previous, { context }) => deriveKey(context),
});

/**
 * Encrypts and authenticates a text: `v1.` and, in base64url, nonce, ciphertext and tag.
 *
 * @param belongsTo the record it is bound to (associated data); it opens only with the same value
 * Source: AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce, safe for 2^32 texts per key. The key is
 *   HKDF-SHA-256 (RFC 5869) of the secret without salt, with the purpose as info.
 */
export async function sealText(
  text: string,
  belongsTo: string,
  sealedWith: SealingKey,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> {
  const nonce = random(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(gcm(nonce, belongsTo), await getKey(sealedWith), encoder.encode(text));
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(nonce);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return VERSION + toBase64Url(bytes);
}

/** @returns null for a text that was not sealed with this secret, purpose and record */
export async function openSealedText(
  sealed: string,
  belongsTo: string,
  sealedWith: SealingKey,
): Promise<string | null> {
  const bytes = sealed.startsWith(VERSION) ? fromBase64Url(sealed.slice(VERSION.length)) : null;
  if (bytes === null) return null;
  const key = await getKey(sealedWith);
  try {
    const text = await crypto.subtle.decrypt(
      gcm(bytes.slice(0, NONCE_BYTES), belongsTo),
      key,
      bytes.slice(NONCE_BYTES),
    );
    return decoder.decode(text);
  } catch {
    return null;
  }
}

const gcm = (iv: Uint8Array<ArrayBuffer>, belongsTo: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(belongsTo),
});

const getKey = (key: SealingKey): Promise<CryptoKey> =>
  keys.memo(JSON.stringify([key.secret, key.purpose]), { context: key });

async function deriveKey({ secret, purpose }: SealingKey): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) };
  return crypto.subtle.deriveKey(params, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
