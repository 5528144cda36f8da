import { env } from "cloudflare:workers";
import { generateApiKey, hashCredential } from "../../../src/auth/api-key-format.ts";
import { parseConfig } from "../../../src/config.ts";
import type { Database } from "../../../src/db/client.ts";
import { accounts, apiKeys } from "../../../src/db/schema.ts";
import type { AccountState, Plan, Scope } from "../../../src/domain/accounts/accounts.ts";

export interface KeyFacts {
  plan: Plan;
  state: AccountState;
  scopes: Scope[];
  expiresAt: Date;
  revokedAt: Date;
}

/** A live key of a new account: active, Pro, all scopes, without expiry, unless the facts differ. */
export async function aKey(db: Database, facts: Partial<KeyFacts> = {}): Promise<string> {
  const {
    plan = "pro",
    state = "active",
    scopes = ["read", "webhooks", "export", "usage"],
    expiresAt,
    revokedAt,
  } = facts;
  const key = anUnknownKey();
  const email = `${crypto.randomUUID()}@example.test`;
  const [account] = await db.insert(accounts).values({ email, plan, state }).returning({ id: accounts.id });
  if (account === undefined) throw new Error("no account was stored");
  const keyHash = await hashCredential(parseConfig(env).credentialKeys.current, key);
  await db
    .insert(apiKeys)
    .values({ accountId: account.id, keyHash, prefix: "svc_sk_live_", scopes, expiresAt, revokedAt });
  return key;
}

/** A well-formed key that was never issued. */
export function anUnknownKey(): string {
  return generateApiKey("svc", (bytes) => crypto.getRandomValues(bytes));
}
