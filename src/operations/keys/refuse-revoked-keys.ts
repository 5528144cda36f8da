import { ApiError } from "../../api/errors.ts";
import type { OperationContext } from "../../context.ts";

type MeterContext = Pick<OperationContext, "meter">;

/**
 * Makes the account's meter refuse keys before they are revoked.
 *
 * @throws ApiError credential_store_unavailable when that fails: the keys would still work, so they must not
 *   be revoked
 */
export async function refuseBeforeRevocation(
  { meter }: MeterContext,
  accountId: number,
  keyHashes: readonly string[],
): Promise<void> {
  await meter.refuse(accountId, keyHashes).catch((cause: unknown) => {
    throw new ApiError("credential_store_unavailable", { cause });
  });
}

/**
 * Makes the account's meter refuse revoked keys that were created between the first refusal and the revocation.
 *
 * @throws ApiError credential_store_unavailable, with a message that the revocation itself succeeded
 */
export async function refuseAfterRevocation(
  { meter }: MeterContext,
  accountId: number,
  keyHashes: readonly string[],
): Promise<void> {
  await meter.refuse(accountId, keyHashes).catch((cause: unknown) => {
    const message =
      "The keys are revoked, but a key created during this request may work for another 10 minutes. Retry the request.";
    throw new ApiError("credential_store_unavailable", { message, cause });
  });
}

/**
 * Makes the account's meter read its keys from Postgres for the next minute, in which a change is written.
 *
 * @throws ApiError credential_store_unavailable when that fails: the change must not be written then
 */
export async function forgetBeforeChange({ meter }: MeterContext, accountId: number): Promise<void> {
  await meter.forget(accountId).catch((cause: unknown) => {
    throw new ApiError("credential_store_unavailable", { cause });
  });
}
