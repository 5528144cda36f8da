import { LRUCache } from "lru-cache";
import type { ReadSession } from "../auth/authenticate-session.ts";
import type { Runtime } from "../runtime.ts";
import { readCookie } from "./cookies.ts";
import type { Auth } from "./sign-in/open-auth.ts";

const MAX_RECENT_SESSIONS = 10_000;

/** The reader of session cookies. It spends one request of the account's `keys` budget per request. */
export function openSessionReader(
  auth: () => Auth,
  { config, requestLimiter }: Pick<Runtime, "config" | "requestLimiter">,
): ReadSession {
  // Account ids by session cookie of this isolate's recent members, so that an exhausted budget costs no
  // database query. It is not used for authentication.
  const recent = new LRUCache<string, number>({ max: MAX_RECENT_SESSIONS });
  const spend = (accountId: number) => requestLimiter.spend("keys", `account ${accountId}`);

  return async (headers) => {
    const cookie = readCookie(headers, config, "session_token") ?? "";
    const knownAccountId = recent.get(cookie);
    if (knownAccountId !== undefined) {
      const retryAt = await spend(knownAccountId);
      if (retryAt !== null) return { kind: "limited", retryAt };
    }
    // Read without renewal: only the website's own get-session request renews a session.
    const session = await auth().api.getSession({ headers, query: { disableRefresh: true } });
    const accountId = session?.user.accountId ?? null;
    if (accountId === null) {
      recent.delete(cookie);
      return { kind: "signed_out" };
    }
    if (knownAccountId === undefined) {
      recent.set(cookie, accountId);
      const retryAt = await spend(accountId);
      if (retryAt !== null) return { kind: "limited", retryAt };
    }
    return { kind: "signed_in", accountId };
  };
}
