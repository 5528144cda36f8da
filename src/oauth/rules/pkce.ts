import { isEqualInConstantTime } from "../../lib/crypto/constant-time.ts";
import { fromBase64Url, sha256 } from "../../lib/crypto/hmac.ts";

/** A verifier of RFC 7636 section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text can be the S256 challenge of a verifier. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Whether a verifier belongs to an S256 challenge (RFC 7636 section 4.6). */
export async function matchesChallenge(verifier: string, challenge: string): Promise<boolean> {
  const expected = fromBase64Url(challenge);
  if (!VERIFIER.test(verifier) || expected === null) return false;
  return isEqualInConstantTime(await sha256(verifier), expected);
}
