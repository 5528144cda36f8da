import { and, desc, eq, isNull, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { apiKeys } from "../../db/schema.ts";
import { array, columnName, columnNames, integer, isoText, timestamp } from "../../db/sql.ts";
import type { Scope } from "../../domain/accounts/accounts.ts";
import { lockAccount } from "./account.ts";

/** The stored form of a key: never the key itself. */
export interface StoredKey {
  readonly hash: string;
  /** The part that lists may show. */
  readonly prefix: string;
}

const KeyRow = z.object({
  id: integer,
  name: z.string().nullable(),
  prefix: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
});
const NewKeyRow = z.object({ id: integer, created_at: z.string() });
const KeyReplacement = NewKeyRow.extend({ revoked_hashes: z.array(z.string()) });
const KeyHashRow = z.object({ id: integer, key_hash: z.string() });
const RevokedKey = z.object({ id: integer, revoked_at: z.string() });

export type KeyRow = z.output<typeof KeyRow>;
export type NewKeyRow = z.output<typeof NewKeyRow>;
export type KeyReplacement = z.output<typeof KeyReplacement>;
export type KeyHashRow = z.output<typeof KeyHashRow>;

/** The newest `limit` default keys of an account, newest first. */
export async function listDefaultKeys(db: Database, accountId: number, limit: number): Promise<KeyRow[]> {
  const { id, name, prefix, createdAt, revokedAt } = apiKeys;
  const rows = await db
    .select({ id, name, prefix, created_at: isoText(createdAt), revoked_at: isoText(revokedAt) })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.integrationId)))
    .orderBy(desc(id))
    .limit(limit);
  return z.array(KeyRow).parse(rows);
}

export interface NewDefaultKey extends StoredKey {
  readonly name: string | null;
  readonly scopes: readonly Scope[];
}

const DEFAULT_KEY_COLUMNS = columnNames(
  apiKeys.accountId,
  apiKeys.name,
  apiKeys.keyHash,
  apiKeys.prefix,
  apiKeys.scopes,
);

/** The maximum number of live default keys of an account. Keys of integrations have a separate limit. */
export const MAX_LIVE_DEFAULT_KEYS = 50;

/**
 * Stores a default key.
 *
 * @returns null when the account already has `MAX_LIVE_DEFAULT_KEYS`; concurrent requests cannot exceed the
 *   limit
 */
export async function insertDefaultKey(db: Database, accountId: number, key: NewDefaultKey): Promise<NewKeyRow | null> {
  const [, inserted] = await db.batch([
    lockAccount(db, accountId),
    db.execute(sql`
      insert into ${apiKeys} (${DEFAULT_KEY_COLUMNS})
      select ${accountId}::bigint, ${key.name}::text, ${key.hash}::text, ${key.prefix}::text,
        ${array(key.scopes, "text")}
      where (select count(*) from ${apiKeys} where ${isLiveDefaultKey(accountId)}) < ${MAX_LIVE_DEFAULT_KEYS}
      returning ${apiKeys.id}, ${isoText(apiKeys.createdAt)} as created_at`),
  ]);
  return inserted.rows[0] === undefined ? null : NewKeyRow.parse(inserted.rows[0]);
}

/** A default key of this account, revoked or not; null when there is none with this id. */
export async function findDefaultKey(db: Database, accountId: number, id: number): Promise<KeyHashRow | null> {
  const [key] = await db
    .select({ id: apiKeys.id, key_hash: apiKeys.keyHash })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.integrationId)));
  return key ?? null;
}

/** The hashes of an account's live default keys. */
export async function listLiveDefaultKeys(db: Database, accountId: number): Promise<string[]> {
  const rows = await db.select({ hash: apiKeys.keyHash }).from(apiKeys).where(isLiveDefaultKey(accountId));
  return rows.map(({ hash }) => hash);
}

/** A key that is already revoked keeps its revocation time. */
export async function revokeKey(db: Database, id: number, now: Date): Promise<{ id: number; revoked_at: string }> {
  const [revoked] = await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now.toISOString()})` })
    .where(eq(apiKeys.id, id))
    .returning({ id: apiKeys.id, revoked_at: isoText(apiKeys.revokedAt) });
  if (revoked === undefined) throw new Error(`api key ${id} does not exist`);
  return RevokedKey.parse(revoked);
}

/**
 * Revokes all live default keys of an account and stores a new one, in one transaction. Of several concurrent
 * requests, only the last one's key stays live.
 */
export async function replaceDefaultKeys(
  db: Database,
  accountId: number,
  key: NewDefaultKey,
  now: Date,
): Promise<KeyReplacement> {
  const [, inserted] = await db.batch([
    lockAccount(db, accountId),
    // A key that was created while this request waited must not be revoked before its creation time.
    db.execute(sql`
      with revoked as (
        update ${apiKeys}
        set ${columnName(apiKeys.revokedAt)} = greatest(${timestamp(now)}, ${apiKeys.createdAt})
        where ${isLiveDefaultKey(accountId)}
        returning ${apiKeys.keyHash}
      ), inserted as (
        insert into ${apiKeys} (${DEFAULT_KEY_COLUMNS})
        values (${accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${array(key.scopes, "text")})
        returning ${apiKeys.id}, ${apiKeys.createdAt}
      )
      select inserted.id, ${isoText(sql`inserted.created_at`)} as created_at, array(select key_hash
        from revoked) as revoked_hashes from inserted`),
  ]);
  const [replaced] = z.array(KeyReplacement).parse(inserted.rows);
  if (replaced === undefined) throw new Error("the insert returned no key");
  return replaced;
}

const isLiveDefaultKey = (accountId: number): SQL =>
  sql`${apiKeys.accountId} = ${accountId}::bigint and ${apiKeys.integrationId} is null
    and ${apiKeys.revokedAt} is null`;
