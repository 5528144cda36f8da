import { APIError } from "better-auth/api";
import { ApiError } from "../api/errors.ts";
import type { Database } from "../db/client.ts";
import { isPasskeyRegistered } from "../queries/passkeys.ts";

/** Marks an answer of the library whose registration was verified. It never leaves. */
const VERIFIED = "X-Registration-Verified";

interface VerifiedRegistration {
  readonly ctx: { setHeader(name: string, value: string): void };
  readonly verification: { readonly registrationInfo?: { readonly credential: { readonly id: string } } | undefined };
}

/** Called by the library between the verification of a passkey and its storing. */
export async function refuseKnownPasskey(db: Database, { ctx, verification }: VerifiedRegistration): Promise<void> {
  ctx.setHeader(VERIFIED, "yes");
  const id = verification.registrationInfo?.credential.id;
  if (id === undefined || !(await isPasskeyRegistered(db, id))) return;
  throw new APIError("BAD_REQUEST", { code: "PREVIOUSLY_REGISTERED", message: "This passkey is registered already" });
}

/**
 * The library says 500 for a registration that it cannot verify, as for one that it cannot store.
 *
 * @throws ApiError invalid_body for the former
 */
export function presentRegistration(answer: Response): Response {
  const verified = answer.headers.has(VERIFIED);
  if (answer.status === 500 && !verified) {
    throw new ApiError("invalid_body", {
      param: "response",
      message: "response: This is no registration that answers the last challenge.",
    });
  }
  const headers = new Headers(answer.headers);
  headers.delete(VERIFIED);
  return new Response(answer.body, { status: answer.status, headers });
}
