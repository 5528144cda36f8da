import { isEqualInConstantTime } from "../lib/crypto/constant-time.ts";
import { hmacSha256, toHex } from "../lib/crypto/hmac.ts";
import { secretsOf, type KeyRing } from "../lib/crypto/key-ring.ts";

/** Where an operator's command reaches the meters. */
export const OPERATOR_PATH = "/internal/v1/meter";
export const SIGNATURE_HEADER = "x-operator-signature";

/** Keeps a signature of one use of the secret from being valid for another. */
const PURPOSE = "operator call\n";

/** The signature of an operator's call, with the secret that hashes credentials. */
export const signOperatorCall = async (secret: string, body: string): Promise<string> =>
  toHex(await hmacSha256(secret, PURPOSE + body));

export async function isOperatorCall(keys: KeyRing, body: string, signature: string | null): Promise<boolean> {
  if (signature === null) return false;
  const expected = await Promise.all(secretsOf(keys).map((secret) => signOperatorCall(secret, body)));
  const presented = new TextEncoder().encode(signature);
  return expected.some((valid) => isEqualInConstantTime(new TextEncoder().encode(valid), presented));
}
