import { ApiError } from "../api/errors.ts";
import type { Member } from "../context.ts";
import { getAccountStatus } from "../queries/accounts/account.ts";
import type { Runtime } from "../runtime.ts";
import { decideAccountAccess, type AccessRequirement } from "../domain/accounts/decide-access.ts";

/** What the website's module finds in the session cookie of a request. */
export type SessionLookup =
  | { readonly kind: "signed_in"; readonly accountId: number }
  | { readonly kind: "signed_out" }
  /** The account has spent its budget. */
  | { readonly kind: "limited"; readonly retryAt: Date };

/**
 * Reads the session cookie and spends one request of the account's budget. No other credential is accepted,
 * in particular no API key.
 */
export type ReadSession = (headers: Headers) => Promise<SessionLookup>;

/**
 * Authenticates and authorises the signed-in account of a request.
 *
 * @throws ApiError invalid_api_key without a live session; rate_limited; forbidden, account_locked,
 *   subscription_inactive or max_plan_required for the account
 */
export async function authenticateSession(
  session: SessionLookup,
  requirement: Pick<AccessRequirement, "plan">,
  { db, config }: Pick<Runtime, "db" | "config">,
): Promise<Member> {
  if (session.kind === "signed_out") {
    throw new ApiError("invalid_api_key", {
      message: "Sign in on the website. This route needs the session of a signed-in browser, not an API key.",
    });
  }
  if (session.kind === "limited") {
    throw new ApiError("rate_limited", {
      message: "This account has used its requests to the website for this minute.",
      retryAt: session.retryAt,
    });
  }
  const { accountId } = session;
  const { plan, state } = await getAccountStatus(db, accountId);
  const refusal = decideAccountAccess({ plan, state }, requirement);
  if (refusal === null) return { accountId, plan };
  if (refusal !== "subscription_inactive") throw new ApiError(refusal);
  throw new ApiError("subscription_inactive", {
    message: `This route needs an active Pro or Max subscription. Subscribe at ${config.webBaseUrl}/billing.`,
  });
}
