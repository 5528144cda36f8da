import { ApiError } from "../api/errors.ts";
import type { Config } from "../config.ts";
import type { Plan } from "../domain/accounts.ts";
import { RecentMap } from "../lib/recent-map.ts";
import { getAccountStanding } from "../queries/account.ts";
import type { Runtime } from "../runtime.ts";
import { readCookie } from "./cookies.ts";
import type { Auth } from "./open-auth.ts";
import { spendRequest } from "./spend-request.ts";

/** Who is signed in and has a plan. */
export interface Member {
  readonly accountId: number;
  readonly plan: Exclude<Plan, "free">;
}

/** Sessions of this isolate's last members, so that a spent budget costs no look into the database. It authenticates nothing. */
export type RecentSessions = RecentMap<number>;

export const openRecentSessions = (): RecentSessions => new RecentMap(10_000);

/**
 * The member that a request's session cookie belongs to. Nothing else authenticates it, an API key neither. One request of the account's budget
 * for its keys is spent.
 *
 * @throws ApiError invalid_api_key without a live session; rate_limited; forbidden, account_locked or subscription_inactive for its account
 */
export async function requireMember(
  headers: Headers,
  { auth, runtime: { db, config, requestLimiter }, recent }: { auth: Auth; runtime: Runtime; recent: RecentSessions },
): Promise<Member> {
  const spend = (account: number) => spendRequest(requestLimiter, "keys", `account ${account}`);
  const cookie = readCookie(headers, config, "session_token") ?? "";
  const expected = recent.find(cookie);
  if (expected !== null) await spend(expected);
  // Read as it is: only the website's own look at the session renews it.
  const session = await auth.api.getSession({ headers, query: { disableRefresh: true } });
  const accountId = session?.user.accountId ?? null;
  if (accountId === null) {
    recent.delete(cookie);
    throw signedOut(config);
  }
  if (expected === null) {
    recent.set(cookie, accountId);
    await spend(accountId);
  }
  const { plan, state } = await getAccountStanding(db, accountId);
  // The first thing wrong decides, as for a key (`src/auth/decide-access.ts`).
  if (state === "deleted") throw new ApiError("forbidden");
  if (state === "locked") throw new ApiError("account_locked");
  if (state === "lapsed" || plan === "free") {
    throw new ApiError("subscription_inactive", {
      message: `Keys need an active Pro or Max subscription. Subscribe at ${config.webBaseUrl}/billing.`,
    });
  }
  return { accountId, plan };
}

function signedOut({ apiBaseUrl }: Config): ApiError {
  return new ApiError("invalid_api_key", {
    message: "Sign in on the website. Keys are managed with its session, not with an API key.",
    headers: { "WWW-Authenticate": `Bearer resource_metadata="${apiBaseUrl}/.well-known/oauth-protected-resource"` },
  });
}
