import { hashCredential } from "../../../src/auth/api-key-format.ts";
import { OPERATOR_PATH, SIGNATURE_HEADER, signOperatorCall } from "../../../src/auth/operator-signature.ts";

/** The secret of tests inside workerd. */
const SECRET = "test-credential-secret-of-32-bytes-or-more";

/** A signed call that refuses a key. @param facts tampered: the body is changed after it was signed */
export async function anOperatorCall(
  { key, ...call }: { action: "refuse"; account_id: number; key: string; at_ms: number },
  { secret = SECRET, tampered = false }: { secret?: string; tampered?: boolean } = {},
): Promise<Request> {
  const body = JSON.stringify({ ...call, hashes: [await hashCredential(SECRET, key)] });
  const signature = await signOperatorCall(secret, body);
  return new Request(`http://api.test${OPERATOR_PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature },
    body: tampered ? body.replace(`"account_id":${call.account_id}`, `"account_id":${call.account_id + 1}`) : body,
  });
}
