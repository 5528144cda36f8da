import { ApiError } from "../../../api/errors.ts";
import type { OperationContext } from "../../../context.ts";
import { openEndpointSecret } from "../../../lib/crypto/endpoint-secrets.ts";
import { sha256, toHex } from "../../../lib/crypto/hmac.ts";
import type { EndpointRef } from "../../../queries/webhooks/endpoint-row.ts";
import { findToken, type TokenRow } from "../../../queries/webhooks/find-endpoint.ts";
import { endpointNotFound, sealOwnerOf } from "./endpoint-access.ts";

/**
 * Checks a verification token and returns the endpoint's stored token.
 *
 * @throws ApiError not_found for an unknown endpoint; bad_request when the token does not match
 */
export async function checkVerificationToken(
  token: string,
  ref: EndpointRef,
  context: OperationContext,
): Promise<TokenRow> {
  const { db, now } = context;
  const row = await findToken(db, ref, now);
  if (row === null) throw endpointNotFound(ref.id);
  const owner = sealOwnerOf(ref, context);
  if (!(await equalTexts(token, await openEndpointSecret("verification token", row.token_sealed, owner)))) {
    throw tokenError("This is not the verification token of the endpoint. A change of the URL creates a new token.");
  }
  return row;
}

/** @throws ApiError bad_request for an expired token */
export function requireUnexpired({ is_expired }: TokenRow): void {
  if (is_expired)
    throw tokenError(
      "The verification token has expired. Change the URL or create the endpoint again to get a new token.",
    );
}

/** Compares hashes, so that the duration does not reveal where two texts differ. */
const equalTexts = async (a: string, b: string): Promise<boolean> => toHex(await sha256(a)) === toHex(await sha256(b));

const tokenError = (message: string) => new ApiError("bad_request", { param: "verification_token", message });
