import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";
import { openEndpointSecret } from "../../lib/endpoint-secrets.ts";
import { sha256, toHex } from "../../lib/hmac.ts";
import type { EndpointRef } from "../../queries/webhooks/endpoint-row.ts";
import { findToken, type TokenRow } from "../../queries/webhooks/find-endpoint.ts";
import { noEndpoint, sealedFor } from "./owned.ts";

/**
 * What an endpoint is verified with, once the token that was sent is known to be its own.
 *
 * @throws ApiError not_found, or bad_request for a token that is not the endpoint's
 */
export async function checkToken(token: string, ref: EndpointRef, context: OperationContext): Promise<TokenRow> {
  const { db, now } = context;
  const row = await findToken(db, ref, now);
  if (row === null) throw noEndpoint(ref.id);
  const owner = sealedFor(ref, context);
  if (!(await equalTexts(token, await openEndpointSecret("verification token", row.token_sealed, owner)))) {
    throw refusedToken("This is not the endpoint's verification token. A change of its URL has given it a new one.");
  }
  return row;
}

/** @throws ApiError bad_request for a token whose time is up */
export function expectFresh({ is_expired }: TokenRow): void {
  if (is_expired) throw refusedToken("The verification token has expired. Changing the URL, or making the endpoint anew, gives another.");
}

/** How long it takes says nothing of where two texts differ. */
const equalTexts = async (one: string, other: string): Promise<boolean> => toHex(await sha256(one)) === toHex(await sha256(other));

const refusedToken = (message: string) => new ApiError("bad_request", { param: "verification_token", message });
