import { ApiError } from "../../../api/errors.ts";
import type { OperationContext, Principal } from "../../../context.ts";
import type { EndpointRef } from "../../../queries/webhooks/endpoint-row.ts";
import { requireCaller } from "../../owned-resource.ts";

/** Reference to an endpoint of the caller's account. */
export const endpointRefOf = (principal: Principal | null, id: number): EndpointRef => ({
  accountId: requireCaller(principal).accountId,
  id,
});

/** The owner for which secrets and tokens are sealed: the account and the credential keys. */
export const sealOwnerOf = (
  { accountId }: Pick<EndpointRef, "accountId">,
  { config }: Pick<OperationContext, "config">,
) => ({
  accountId,
  credentialKeys: config.credentialKeys,
});

/**
 * The same error for a missing endpoint and for another account's: it does not reveal which numbers exist.
 */
export const endpointNotFound = (id: number): ApiError =>
  new ApiError("not_found", { param: "id", message: `This account has no webhook endpoint ${id}.` });

/** Fills the array with random bytes. */
export const randomBytes = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => crypto.getRandomValues(bytes);
