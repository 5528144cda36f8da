import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { DEFAULT_SCOPES, generateApiKey, hashCredential, keyPreview } from "../../src/auth/api-key-format.ts";
import type { Scope } from "../../src/domain/accounts/accounts.ts";
import { MeterUnavailable } from "../../src/platform/objects/meter.ts";
import { findAccountByEmail } from "../../src/queries/accounts/account.ts";
import { insertDefaultKey, MAX_LIVE_DEFAULT_KEYS, revokeKey } from "../../src/queries/accounts/api-keys.ts";
import { withdrawPick } from "../../src/ingest/picks/withdraw-pick.ts";
import { accounts, apiKeys } from "../../src/db/schema.ts";
import { integer, isoText, selectRow } from "../../src/db/sql.ts";
import { OperatorError, type Command } from "./arguments.ts";
import { beginEpoch } from "./begin-epoch.ts";
import { listDeadLetters, requestReplay } from "./dead-letters.ts";
import { describeHealthHistory } from "./describe-health-history.ts";
import { describeKeys } from "./describe-keys.ts";
import { listAccounts } from "./list-accounts.ts";
import { resealEndpoints } from "./reseal-endpoints.ts";
import type { Store } from "./open-store.ts";

const KnownKey = z.object({
  id: integer,
  key_hash: z.string(),
  account_id: integer,
  email: z.string(),
  revoked_at: z.string().nullable(),
});

/** Runs one command. @returns what to print @throws OperatorError */
export async function runOperatorCommand(command: Command, store: Store, now: Date): Promise<string> {
  switch (command.command) {
    case "create-account":
      return createAccount(store, command.rest[0], command.plan);
    case "set-plan":
      return changeAccount(store, command.rest[0], { plan: command.rest[1] }, `is on the plan ${command.rest[1]}`);
    case "set-state":
      return changeAccount(store, command.rest[0], { state: command.rest[1] }, `is ${command.rest[1]}`);
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
    case "health-history":
      return describeHealthHistory(store.db, command.days, now);
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
  { db, meter }: Store,
  email: string,
  change: { plan: string } | { state: string },
  what: string,
): Promise<string> {
  const account = await findAccountByEmail(db, email);
  if (account === null) throw noAccount(email);
  await meter?.forget(account.id).catch((error: unknown) => {
    throw meterAway(error, "Nothing has been changed");
  });
  await db.update(accounts).set(change).where(eq(accounts.id, account.id));
  const done = `${email} ${what}.`;
  if (meter === null) return `${done}\n${METER_UNKNOWN}`;
  // Once more: a request that read the account before the change may still arrive at the meter.
  await meter.forget(account.id).catch((error: unknown) => {
    throw meterAway(error, `${done} A request in progress may have been served in the earlier state`);
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

async function revoke({ db, meter }: Store, id: number, now: Date): Promise<string> {
  const key = await selectRow(
    db,
    sql`
      select ${apiKeys.id}, ${apiKeys.keyHash}, ${apiKeys.accountId}, ${accounts.email},
        ${isoText(apiKeys.revokedAt)} as revoked_at
      from ${apiKeys} join ${accounts} on ${accounts.id} = ${apiKeys.accountId} where ${apiKeys.id} = ${id}`,
    KnownKey,
  );
  if (key === null) throw new OperatorError(`There is no key ${id}.`);
  await meter?.refuse(key.account_id, [key.key_hash]).catch((error: unknown) => {
    throw meterAway(error, "Nothing has been revoked");
  });
  const { revoked_at } = await revokeKey(db, id, now);
  const done = `Key ${id} of ${key.email} ${key.revoked_at === null ? "is revoked" : `was revoked at ${revoked_at}`}.`;
  return meter === null ? `${done}\n${METER_UNKNOWN}` : done;
}

const METER_UNKNOWN =
  "API_BASE_URL or CREDENTIAL_SECRET is not set: the running product may serve the earlier state for up to 10 minutes.";

function meterAway(error: unknown, outcome: string): unknown {
  if (!(error instanceof MeterUnavailable)) return error;
  return new OperatorError(`${outcome}: ${error.message}. Run this again.`, { cause: error });
}

const noAccount = (email: string) => new OperatorError(`There is no account of ${email}.`);
