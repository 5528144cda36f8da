import { refuseKeys } from "../../auth/replace-credential-records.ts";
import type { GrantEnd } from "../../domain/accounts/oauth.ts";
import { describeError } from "../../platform/log/console-log.ts";
import type { FlowContext } from "./issue-tokens.ts";

type EndContext = Pick<FlowContext, "store" | "cache" | "now">;

/**
 * Ends a grant on request. Redis refuses its access tokens first, so that nothing has changed when Redis is
 * unavailable; tokens that were issued meanwhile are refused after.
 *
 * @throws CacheUnavailable
 */
export async function endGrant(grantId: number, endedBy: GrantEnd, { store, cache, now }: EndContext): Promise<void> {
  await refuseKeys(cache, await store.listAccessHashes(grantId, now));
  await refuseKeys(cache, await store.revokeGrant(grantId, endedBy, now));
}

/**
 * Ends a grant whose code or refresh token was used twice. It ends even without Redis: then credentials are
 * read from Postgres. A record that Redis still has when it returns expires within five minutes.
 */
export async function endCopiedGrant(
  grantId: number,
  endedBy: GrantEnd,
  { store, cache, log, now }: EndContext & Pick<FlowContext, "log">,
): Promise<void> {
  const refuse = (hashes: readonly string[]) =>
    refuseKeys(cache, hashes).catch((error: unknown) =>
      log.error("oauth.refuse_failed", { grant_id: grantId, ended_by: endedBy, error: describeError(error) }),
    );
  await refuse(await store.listAccessHashes(grantId, now));
  await refuse(await store.revokeGrant(grantId, endedBy, now));
}
