import { refuseKeys } from "../../auth/replace-records.ts";
import { ApiError } from "../../api/errors.ts";
import type { Cache } from "../../ports/cache.ts";

/** Before keys are revoked. @throws ApiError credential_store_unavailable when they could go on working, so that nothing is claimed */
export async function refuseFirst(cache: Cache, keyHashes: readonly string[]): Promise<void> {
  await refuseKeys(cache, keyHashes).catch((cause: unknown) => {
    throw new ApiError("credential_store_unavailable", { cause });
  });
}
