import type { GrantEnd } from "../../domain/accounts/oauth.ts";
import { describeError } from "../../platform/log/console-log.ts";
import type { FlowContext } from "./issue-tokens.ts";
import type { GrantTokens } from "./oauth-store.ts";

type EndContext = Pick<FlowContext, "store" | "meter" | "now">;

/**
 * Ends a grant on request. The account's meter refuses its access tokens first, so that nothing has changed when the
 * meter is unavailable; tokens that were issued meanwhile are refused after.
 *
 * @throws MeterUnavailable
 */
export async function endGrant(grantId: number, endedBy: GrantEnd, { store, meter, now }: EndContext): Promise<void> {
  const refuse = ({ accountId, hashes }: GrantTokens) => meter.refuse(accountId, hashes);
  await refuse(await store.listAccessTokens(grantId, now));
  await refuse(await store.revokeGrant(grantId, endedBy, now));
}

/**
 * Ends a grant whose code or refresh token was used twice. It ends even without the meter, which admits no request
 * then. A record that the meter has when it returns is read again within ten minutes.
 */
export async function endCopiedGrant(
  grantId: number,
  endedBy: GrantEnd,
  { store, meter, log, now }: EndContext & Pick<FlowContext, "log">,
): Promise<void> {
  const refuse = ({ accountId, hashes }: GrantTokens) =>
    meter
      .refuse(accountId, hashes)
      .catch((error: unknown) =>
        log.error("oauth.refuse_failed", { grant_id: grantId, ended_by: endedBy, error: describeError(error) }),
      );
  await refuse(await store.listAccessTokens(grantId, now));
  await refuse(await store.revokeGrant(grantId, endedBy, now));
}
