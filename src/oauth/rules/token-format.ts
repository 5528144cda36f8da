import { hashCredential, hashesOf } from "../../auth/api-key-format.ts";
import { toHex } from "../../lib/crypto/hmac.ts";
import type { KeyRing } from "../../lib/crypto/key-ring.ts";

export type Random = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

const SECRET_BYTES = 32;
/** Consonants without `Y`: no words, and no characters that look alike (RFC 8628 section 6.1). */
const USER_CODE_CHARACTERS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;

export type SecretKind = "at" | "rt" | "ac" | "dc";

/**
 * A new secret: an access token (`at`), refresh token (`rt`), authorization code (`ac`) or device code (`dc`).
 * It is sent once; only its hash is stored.
 */
export const generateSecret = (prefix: string, kind: SecretKind, random: Random): string =>
  `${prefix}_${kind}_${toHex(random(new Uint8Array(SECRET_BYTES)))}`;

/** Whether a text has the form of such a secret, so that anything else causes no lookup. */
export function isSecret(prefix: string, kind: SecretKind, text: string): boolean {
  const start = `${prefix}_${kind}_`;
  return text.startsWith(start) && /^[0-9a-f]{64}$/.test(text.slice(start.length));
}

export const generateClientId = (prefix: string, random: Random): string =>
  `${prefix}_client_${toHex(random(new Uint8Array(16)))}`;

/** A uniformly distributed code, `XXXX-XXXX`. */
export function generateUserCode(random: Random): string {
  let code = "";
  while (code.length < USER_CODE_LENGTH) {
    const [byte = 0] = random(new Uint8Array(1));
    // Rejection sampling: bytes above the last whole multiple would favour the first characters.
    if (byte < 256 - (256 % USER_CODE_CHARACTERS.length))
      code += USER_CODE_CHARACTERS[byte % USER_CODE_CHARACTERS.length];
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The code that a person typed, in its canonical form; null for a text that cannot be one. */
export function parseUserCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, "");
  const isCode =
    letters.length === USER_CODE_LENGTH && [...letters].every((char) => USER_CODE_CHARACTERS.includes(char));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null;
}

/** The stored hash of a user code. The purpose keeps it apart from other hashes under the same secret. */
export const hashUserCode = (secret: string, userCode: string): Promise<string> =>
  hashCredential(secret, hashedText(userCode));

/** The hashes under which a user code may be stored, as `hashesOf`. */
export const hashesOfUserCode = (keys: KeyRing, userCode: string): Promise<string[]> =>
  hashesOf(keys, hashedText(userCode));

const hashedText = (userCode: string): string => `user code\n${userCode}`;
