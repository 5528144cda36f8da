import { SCOPES, type Scope } from "../domain/accounts/accounts.ts";
import { hmacSha256, sha256, toHex } from "../lib/crypto/hmac.ts";
import { secretsOf, type KeyRing } from "../lib/crypto/key-ring.ts";

const SECRET_BYTES = 32;

/** Scopes of a default key: all. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES;

/** A new live key: `<prefix>_sk_live_` and 64 hex digits. It is shown once; only its hash is stored. */
export function generateApiKey(prefix: string, random: (bytes: Uint8Array) => Uint8Array): string {
  return `${prefix}_sk_live_${toHex(random(new Uint8Array(SECRET_BYTES)))}`;
}

/** Random bytes of a sandbox key; the checksum follows them. */
const SANDBOX_RANDOM_BYTES = 28;
const CHECKSUM_BYTES = 4;

/**
 * A new sandbox key: `<prefix>_sk_test_`, 56 hex digits, and 8 that are their checksum. It is stored nowhere: the
 * checksum alone tells a key from a mistyped one, and grants nothing.
 */
export const generateSandboxKey = (prefix: string, random: (bytes: Uint8Array) => Uint8Array): Promise<string> =>
  sandboxKeyOf(prefix, toHex(random(new Uint8Array(SANDBOX_RANDOM_BYTES))));

/** @param digits the 56 hex digits before the checksum */
export async function sandboxKeyOf(prefix: string, digits: string): Promise<string> {
  const body = `${prefix}_sk_test_${digits}`;
  return `${body}${await sandboxChecksum(body)}`;
}

/** Whether a text is a sandbox key of this prefix with its checksum. */
export async function isSandboxKey(prefix: string, key: string): Promise<boolean> {
  const start = `${prefix}_sk_test_`;
  if (!key.startsWith(start) || !/^[0-9a-f]{64}$/.test(key.slice(start.length))) return false;
  const body = key.slice(0, -2 * CHECKSUM_BYTES);
  return key === `${body}${await sandboxChecksum(body)}`;
}

/** The first four bytes of SHA-256 over everything before the checksum, the prefix included. */
const sandboxChecksum = async (body: string): Promise<string> =>
  toHex((await sha256(body)).subarray(0, CHECKSUM_BYTES));

/**
 * The stored hash of a credential: HMAC-SHA-256 with a server secret, in hex. A leaked table alone grants no
 * access.
 */
export async function hashCredential(secret: string, credential: string): Promise<string> {
  return toHex(await hmacSha256(secret, credential));
}

/** The hashes under which a credential may be stored: of the current secret first, then of each earlier one. */
export const hashesOf = (keys: KeyRing, credential: string): Promise<string[]> =>
  Promise.all(secretsOf(keys).map((secret) => hashCredential(secret, credential)));

/**
 * The hash under which a credential is stored. It asks only while earlier secrets are configured.
 *
 * @param hashes of `hashesOf`
 * @returns the hash of the current secret for a credential that is stored under none
 */
export async function findStoredHash(
  hashes: readonly string[],
  find: (hash: string) => Promise<unknown>,
): Promise<string> {
  const [current = "", ...earlier] = hashes;
  if (earlier.length === 0) return current;
  for (const hash of hashes) if ((await find(hash)) !== null) return hash;
  return current;
}

/** The part of a key that lists may show. */
export function keyPreview(key: string): string {
  return key.slice(0, key.lastIndexOf("_") + 9);
}

export type PresentedCredential =
  | { readonly kind: "live"; readonly key: string }
  | { readonly kind: "sandbox"; readonly key: string }
  | { readonly kind: "absent" }
  | { readonly kind: "malformed" };

/** Classifies the Authorization header by format alone, so that a malformed key causes no lookup. */
export function readCredential(header: string | null, prefix: string): PresentedCredential {
  if (header === null || header === "") return { kind: "absent" };
  const key = /^Bearer +([A-Za-z0-9_-]{1,200}) *$/i.exec(header)?.[1];
  if (key === undefined) return { kind: "malformed" };
  if (key.startsWith(`${prefix}_sk_test_`)) return { kind: "sandbox", key };
  // An API key, or an access token of an application. Both are found by their hash.
  const isLive = [`${prefix}_sk_live_`, `${prefix}_at_`].some(
    (start) => key.startsWith(start) && /^[0-9a-f]{64}$/.test(key.slice(start.length)),
  );
  return isLive ? { kind: "live", key } : { kind: "malformed" };
}
