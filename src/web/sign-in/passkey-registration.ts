import { APIError } from "better-auth/api";
import { ApiError } from "../../api/errors.ts";
import type { Database } from "../../db/client.ts";
import { isPasskeyRegistered } from "../../queries/accounts/passkeys.ts";

/**
 * Internal header that marks a library response after a verified registration. It is never sent to the
 * client.
 */
const VERIFIED = "X-Registration-Verified";

interface VerifiedRegistration {
  readonly ctx: { setHeader(name: string, value: string): void };
  readonly verification: { readonly registrationInfo?: { readonly credential: { readonly id: string } } | undefined };
}

/** The library calls this after it has verified a passkey and before it stores it. */
export async function refuseKnownPasskey(db: Database, { ctx, verification }: VerifiedRegistration): Promise<void> {
  ctx.setHeader(VERIFIED, "yes");
  const id = verification.registrationInfo?.credential.id;
  if (id === undefined || !(await isPasskeyRegistered(db, id))) return;
  throw new APIError("BAD_REQUEST", { code: "PREVIOUSLY_REGISTERED", message: "This passkey is already registered" });
}

/**
 * Separates two failures for which the library returns 500: a registration that cannot be verified, and one
 * that cannot be stored.
 *
 * @throws ApiError invalid_body for the former
 */
export function presentRegistration(response: Response): Response {
  const verified = response.headers.has(VERIFIED);
  if (response.status === 500 && !verified) {
    throw new ApiError("invalid_body", {
      param: "response",
      message: "response: The registration does not match the last challenge.",
    });
  }
  const headers = new Headers(response.headers);
  headers.delete(VERIFIED);
  return new Response(response.body, { status: response.status, headers });
}
