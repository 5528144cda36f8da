import { ApiError } from "../../api/errors.ts";
import type { OperationContext, Principal } from "../../context.ts";
import type { EndpointRef } from "../../queries/webhooks/endpoint-row.ts";

/** Who asks; webhooks are always somebody's. */
export function callerOf(principal: Principal | null): Principal {
  if (principal === null) throw new Error("webhooks belong to a caller");
  return principal;
}

/** The endpoint of this number among the caller's own. */
export const ownEndpoint = (principal: Principal | null, id: number): EndpointRef => ({ accountId: callerOf(principal).accountId, id });

/** For whom an account's secrets and tokens are sealed. */
export const sealedFor = ({ accountId }: Pick<EndpointRef, "accountId">, { config }: Pick<OperationContext, "config">) => ({
  accountId,
  credentialSecret: config.credentialSecret,
});

/** For an endpoint that is not there, or not the caller's: nobody learns which numbers others have. */
export const noEndpoint = (id: number): ApiError =>
  new ApiError("not_found", { param: "id", message: `There is no webhook endpoint ${id}.` });

/** Fills the array with random bytes. */
export const randomBytes = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => crypto.getRandomValues(bytes);
