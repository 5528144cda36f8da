import { memoSettled } from "../memo-settled.ts";
import { fromBase64Url, toBase64Url } from "./hmac.ts";
import { findSecret, keyIdOf, secretsOf, type KeyRing } from "./key-ring.ts";

/**
 * The secrets of a sealing, and the purpose of the keys derived from them. A text sealed for one purpose does not
 * open for another.
 */
export interface SealingKeys {
  readonly keys: KeyRing;
  readonly purpose: string;
}

/** One secret of them. */
interface SealingKey {
  readonly secret: string;
  readonly purpose: string;
}

/** `v2.KEY-ID.TEXT`. A new format needs a new prefix. Earlier texts, `v1.TEXT`, do not name their key. */
const FORMAT = /^(?:v1|v2\.([0-9a-f]{8}))\.([A-Za-z0-9_-]*)$/;
const NONCE_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Encrypts and authenticates a text with the current secret: `v2.`, the id of the secret, and, in base64url, nonce,
 * ciphertext and tag.
 *
 * @param belongsTo the record it is bound to (associated data); it opens only with the same value
 * Source: AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce, safe for 2^32 texts per key. The key is
 *   HKDF-SHA-256 (RFC 5869) of the secret without salt, with the purpose as info.
 */
export async function sealText(
  text: string,
  belongsTo: string,
  { keys: ring, purpose }: SealingKeys,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> {
  const nonce = random(new Uint8Array(NONCE_BYTES));
  const key = await getKey({ secret: ring.current, purpose });
  const sealed = await crypto.subtle.encrypt(gcm(nonce, belongsTo), key, encoder.encode(text));
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(nonce);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return `v2.${await keyIdOf(ring.current)}.${toBase64Url(bytes)}`;
}

/** @returns null for a text that was not sealed with one of these secrets, for this purpose and record */
export async function openSealedText(
  sealed: string,
  belongsTo: string,
  { keys: ring, purpose }: SealingKeys,
): Promise<string | null> {
  const [, id, text = ""] = FORMAT.exec(sealed) ?? [];
  const bytes = text === "" ? null : fromBase64Url(text);
  if (bytes === null) return null;
  const named = id === undefined ? secretsOf(ring) : [await findSecret(ring, id)];
  for (const secret of named) {
    const opened = secret === null ? null : await openWith({ secret, purpose }, bytes, belongsTo);
    if (opened !== null) return opened;
  }
  return null;
}

/** The id of the secret that sealed a text; null for a text that does not name it. */
export const sealingKeyIdOf = (sealed: string): string | null => FORMAT.exec(sealed)?.[1] ?? null;

/** Why a text does not open: its secret is not configured, or it belongs to another record or purpose. */
export async function describeSealing(sealed: string, ring: KeyRing): Promise<string> {
  const id = sealingKeyIdOf(sealed);
  if (id !== null && (await findSecret(ring, id)) === null)
    return `it is sealed with the key ${id}, which is neither CREDENTIAL_SECRET nor in CREDENTIAL_SECRET_PREVIOUS`;
  return "it is sealed for another record, or CREDENTIAL_SECRET has changed";
}

async function openWith(
  sealingKey: SealingKey,
  bytes: Uint8Array<ArrayBuffer>,
  belongsTo: string,
): Promise<string | null> {
  const key = await getKey(sealingKey);
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

const getKey = memoSettled(50, ({ secret, purpose }: SealingKey) => JSON.stringify([secret, purpose]), deriveKey);

async function deriveKey({ secret, purpose }: SealingKey): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) };
  return crypto.subtle.deriveKey(params, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
