import { sql } from "drizzle-orm";
import { z } from "zod";
import { DEFAULT_SCOPES, generateApiKey, hashCredential, keyPreview } from "../../src/auth/keys.ts";
import { refuseKeys, renewKeys } from "../../src/auth/replace-records.ts";
import type { Scope } from "../../src/domain/accounts.ts";
import { CacheUnavailable } from "../../src/ports/cache.ts";
import { findAccountByEmail } from "../../src/queries/account.ts";
import { insertDefaultKey, MAX_LIVE_DEFAULT_KEYS, revokeKey } from "../../src/queries/api-keys.ts";
import { count, iso, selectRows } from "../../src/queries/rows.ts";
import { OperatorError, type Command } from "./arguments.ts";
import { beginEpoch } from "./begin-epoch.ts";
import { listAccounts } from "./list-accounts.ts";
import type { Store } from "./open-store.ts";

const KnownKey = z.object({ id: count, key_hash: z.string(), email: z.string(), revoked_at: z.string().nullable() });

/** Runs one command. @returns what to print @throws OperatorError */
export async function runCommand(command: Command, store: Store, now: Date): Promise<string> {
  switch (command.command) {
    case "create-account":
      return createAccount(store, command.rest[0], command.plan);
    case "set-plan":
      return changeAccount(store, command.rest[0], sql`plan = ${command.rest[1]}`, `is on the plan ${command.rest[1]}`);
    case "set-state":
      return changeAccount(store, command.rest[0], sql`state = ${command.rest[1]}`, `is ${command.rest[1]}`);
    case "issue-key":
      return issueKey(store, command.rest[0], command.scopes, command.name);
    case "revoke-key":
      return revoke(store, command.rest[0], now);
    case "list":
      return listAccounts(store.db, command.rest[0] ?? null);
    case "begin-epoch":
      return beginEpoch(store.db, now);
  }
}

async function createAccount({ db }: Store, email: string, plan: string): Promise<string> {
  const { rows } = await db.execute(
    sql`insert into accounts (email, plan) values (${email}, ${plan}) on conflict (email) do nothing returning id`,
  );
  if (rows[0] === undefined) throw new OperatorError(`${email} has an account already.`);
  return `${email} has account ${String(rows[0]["id"])} on the plan ${plan}.`;
}

async function changeAccount(store: Store, email: string, change: ReturnType<typeof sql>, what: string): Promise<string> {
  const { rows } = await store.db.execute(sql`update accounts set ${change} where email = ${email} returning id`);
  if (rows[0] === undefined) throw noAccount(email);
  const keys = await selectRows(
    store.db,
    sql`select key_hash from api_keys where account_id = ${Number(rows[0]["id"])} and revoked_at is null`,
    z.object({ key_hash: z.string() }),
  );
  const done = `${email} ${what}.`;
  if (store.cache === null) return `${done}\n${REDIS_UNKNOWN}`;
  const hashes = keys.map(({ key_hash }) => key_hash);
  await renewKeys({ db: store.db, cache: store.cache }, hashes).catch((error: unknown) => {
    if (!(error instanceof CacheUnavailable)) throw error;
    throw new OperatorError(`${done} But Redis did not answer, so its keys may go on as before for 5 minutes. Run this again.`);
  });
  return done;
}

async function issueKey(store: Store, email: string, scopes: readonly Scope[], name: string | null): Promise<string> {
  if (store.credentialSecret === null)
    throw new OperatorError("Set CREDENTIAL_SECRET to that of the Worker, or the key would not open it.");
  const account = await findAccountByEmail(store.db, email);
  if (account === null) throw noAccount(email);
  const key = generateApiKey(store.keyPrefix, (bytes) => crypto.getRandomValues(bytes));
  const stored = { hash: await hashCredential(store.credentialSecret, key), prefix: keyPreview(key), name, scopes };
  const made = await insertDefaultKey(store.db, account.id, stored);
  if (made === null) throw new OperatorError(`${email} has ${MAX_LIVE_DEFAULT_KEYS} live keys already. Revoke one first.`);
  const limited = scopes.length < DEFAULT_SCOPES.length ? `, for ${scopes.join(", ")}` : "";
  return `Key ${made.id} of ${email}${limited}. It is shown this once:\n${key}`;
}

async function revoke({ db, cache }: Store, id: number, now: Date): Promise<string> {
  const [key] = await selectRows(
    db,
    sql`
      select k.id, k.key_hash, a.email, ${iso(sql`k.revoked_at`)} as revoked_at
      from api_keys k join accounts a on a.id = k.account_id where k.id = ${id}`,
    KnownKey,
  );
  if (key === undefined) throw new OperatorError(`There is no key ${id}.`);
  if (cache !== null) {
    await refuseKeys(cache, [key.key_hash]).catch((error: unknown) => {
      if (!(error instanceof CacheUnavailable)) throw error;
      throw new OperatorError("Redis did not answer, so nothing has been revoked. Run this again.");
    });
  }
  const { revoked_at } = await revokeKey(db, id, now);
  const done = `Key ${id} of ${key.email} ${key.revoked_at === null ? "is revoked" : `was revoked at ${revoked_at}`}.`;
  return cache === null ? `${done}\n${REDIS_UNKNOWN}` : done;
}

const REDIS_UNKNOWN = "UPSTASH_REDIS_REST_URL is not set: what Redis knows of the keys may be believed for 5 minutes more.";

const noAccount = (email: string) => new OperatorError(`There is no account of ${email}.`);
