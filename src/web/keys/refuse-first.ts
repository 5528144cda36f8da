import { refuseKeys } from "../../auth/replace-records.ts";
import { ApiError } from "../../api/errors.ts";
import type { Cache } from "../../ports/cache.ts";

/** Before keys are revoked. @throws ApiError credential_store_unavailable when they could go on working, so that nothing is claimed */
export async function refuseFirst(cache: Cache, keyHashes: readonly string[]): Promise<void> {
  await refuseKeys(cache, keyHashes).catch((cause: unknown) => {
    throw new ApiError("credential_store_unavailable", { cause });
  });
}

/**
 * After keys were revoked: those that were made between the first refusal and the revocation.
 *
 * @throws ApiError credential_store_unavailable, which says that the revocation stands
 */
export async function refuseLate(cache: Cache, keyHashes: readonly string[]): Promise<void> {
  await refuseKeys(cache, keyHashes).catch((cause: unknown) => {
    const message = "The keys are revoked, but one that was made a moment ago may work for 5 minutes more. Send the request again.";
    throw new ApiError("credential_store_unavailable", { message, cause });
  });
}
