import { refuseKeys } from "../../auth/replace-credential-records.ts";
import { ApiError } from "../../api/errors.ts";
import type { Cache } from "../../platform/redis/cache.ts";

/**
 * Makes Redis refuse keys before they are revoked.
 *
 * @throws ApiError credential_store_unavailable when that fails: the keys would still work, so they must not
 *   be revoked
 */
export async function refuseBeforeRevocation(cache: Cache, keyHashes: readonly string[]): Promise<void> {
  await refuseKeys(cache, keyHashes).catch((cause: unknown) => {
    throw new ApiError("credential_store_unavailable", { cause });
  });
}

/**
 * Makes Redis refuse revoked keys that were created between the first refusal and the revocation.
 *
 * @throws ApiError credential_store_unavailable, with a message that the revocation itself succeeded
 */
export async function refuseAfterRevocation(cache: Cache, keyHashes: readonly string[]): Promise<void> {
  await refuseKeys(cache, keyHashes).catch((cause: unknown) => {
    const message =
      "The keys are revoked, but a key created during this request may work for another 5 minutes. Retry the request.";
    throw new ApiError("credential_store_unavailable", { message, cause });
  });
}
