import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { DEFAULT_SCOPES, generateApiKey, hashCredential, keyPreview } from "../../src/auth/api-key-format.ts";
import { refuseKeys, refreshKeys } from "../../src/auth/replace-credential-records.ts";
import type { Scope } from "../../src/domain/accounts/accounts.ts";
import { CacheUnavailable } from "../../src/platform/redis/cache.ts";
import { findAccountByEmail } from "../../src/queries/accounts/account.ts";
import { insertDefaultKey, MAX_LIVE_DEFAULT_KEYS, revokeKey } from "../../src/queries/accounts/api-keys.ts";
import { listAccountAccessHashes } from "../../src/queries/oauth/grants.ts";
import { withdrawPick } from "../../src/ingest/picks/withdraw-pick.ts";
import { accounts, apiKeys } from "../../src/db/schema.ts";
import { integer, isoText, selectRow } from "../../src/db/sql.ts";
import { OperatorError, type Command } from "./arguments.ts";
import { beginEpoch } from "./begin-epoch.ts";
import { listDeadLetters, requestReplay } from "./dead-letters.ts";
import { describeKeys } from "./describe-keys.ts";
import { listAccounts } from "./list-accounts.ts";
import { resealEndpoints } from "./reseal-endpoints.ts";
import type { Store } from "./open-store.ts";

const KnownKey = z.object({ id: integer, key_hash: z.string(), email: z.string(), revoked_at: z.string().nullable() });

/** Runs one command. @returns what to print @throws OperatorError */
export async function runOperatorCommand(command: Command, store: Store, now: Date): Promise<string> {
  switch (command.command) {
    case "create-account":
      return createAccount(store, command.rest[0], command.plan);
    case "set-plan":
      return changeAccount(store, command.rest[0], { plan: command.rest[1] }, `is on the plan ${command.rest[1]}`, now);
    case "set-state":
      return changeAccount(store, command.rest[0], { state: command.rest[1] }, `is ${command.rest[1]}`, now);
    case "issue-key":
      return issueKey(store, command.rest[0], command.scopes, command.name);
    case "revoke-key":
      return revoke(store, command.rest[0], now);
    case "list":
      return listAccounts(store.db, command.rest[0] ?? null);
    case "withdraw-pick":
      return withdraw(store, command.rest[0], now);
    case "key-status":
      return describeKeys(store, command.before);
    case "reseal":
      return resealEndpoints(store, (bytes) => crypto.getRandomValues(bytes));
    case "dead-letters":
      return listDeadLetters(store.db);
    case "replay-letter":
      return requestReplay(store.db, command.rest[0], now);
    case "begin-epoch":
      return beginEpoch(store.db, now);
  }
}

async function withdraw({ db }: Store, pickId: number, now: Date): Promise<string> {
  if (!(await withdrawPick(db, pickId, "operator", now)))
    throw new OperatorError(`There is no pick ${pickId} that is not withdrawn.`);
  return `Pick ${pickId} is withdrawn.`;
}

async function createAccount({ db }: Store, email: string, plan: string): Promise<string> {
  const [added] = await db
    .insert(accounts)
    .values({ email, plan })
    .onConflictDoNothing({ target: accounts.email })
    .returning({ id: accounts.id });
  if (added === undefined) throw new OperatorError(`${email} has an account already.`);
  return `${email} has account ${added.id} on the plan ${plan}.`;
}

async function changeAccount(
  store: Store,
  email: string,
  change: { plan: string } | { state: string },
  what: string,
  now: Date,
): Promise<string> {
  const [account] = await store.db
    .update(accounts)
    .set(change)
    .where(eq(accounts.email, email))
    .returning({ id: accounts.id });
  if (account === undefined) throw noAccount(email);
  const keys = await store.db
    .select({ hash: apiKeys.keyHash })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt)));
  const done = `${email} ${what}.`;
  if (store.cache === null) return `${done}\n${REDIS_UNKNOWN}`;
  const tokens = await listAccountAccessHashes(store.db, account.id, now);
  const hashes = [...keys.map(({ hash }) => hash), ...tokens];
  await refreshKeys({ db: store.db, cache: store.cache }, hashes).catch((error: unknown) => {
    if (!(error instanceof CacheUnavailable)) throw error;
    throw new OperatorError(
      `${done} Redis did not respond, so its keys may keep their earlier state for 5 minutes. Run this again.`,
    );
  });
  return done;
}

async function issueKey(store: Store, email: string, scopes: readonly Scope[], name: string | null): Promise<string> {
  if (store.credentialKeys === null)
    throw new OperatorError("Set CREDENTIAL_SECRET to the Worker's value, or the Worker refuses the key.");
  const account = await findAccountByEmail(store.db, email);
  if (account === null) throw noAccount(email);
  const key = generateApiKey(store.keyPrefix, (bytes) => crypto.getRandomValues(bytes));
  const stored = {
    hash: await hashCredential(store.credentialKeys.current, key),
    prefix: keyPreview(key),
    name,
    scopes,
  };
  const inserted = await insertDefaultKey(store.db, account.id, stored);
  if (inserted === null)
    throw new OperatorError(`${email} has ${MAX_LIVE_DEFAULT_KEYS} live keys already. Revoke one first.`);
  const limited = scopes.length < DEFAULT_SCOPES.length ? `, for ${scopes.join(", ")}` : "";
  return `Key ${inserted.id} of ${email}${limited}. It is shown only once:\n${key}`;
}

async function revoke({ db, cache }: Store, id: number, now: Date): Promise<string> {
  const key = await selectRow(
    db,
    sql`
      select ${apiKeys.id}, ${apiKeys.keyHash}, ${accounts.email}, ${isoText(apiKeys.revokedAt)} as revoked_at
      from ${apiKeys} join ${accounts} on ${accounts.id} = ${apiKeys.accountId} where ${apiKeys.id} = ${id}`,
    KnownKey,
  );
  if (key === null) throw new OperatorError(`There is no key ${id}.`);
  if (cache !== null) {
    await refuseKeys(cache, [key.key_hash]).catch((error: unknown) => {
      if (!(error instanceof CacheUnavailable)) throw error;
      throw new OperatorError("Redis did not respond, so nothing has been revoked. Run this again.");
    });
  }
  const { revoked_at } = await revokeKey(db, id, now);
  const done = `Key ${id} of ${key.email} ${key.revoked_at === null ? "is revoked" : `was revoked at ${revoked_at}`}.`;
  return cache === null ? `${done}\n${REDIS_UNKNOWN}` : done;
}

const REDIS_UNKNOWN =
  "UPSTASH_REDIS_REST_URL is not set: Redis may serve the earlier state of the keys for up to 5 minutes.";

const noAccount = (email: string) => new OperatorError(`There is no account of ${email}.`);
