import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import type { Scope } from "../domain/accounts.ts";
import { holdAccount } from "./account.ts";
import { count, iso, selectRows } from "./rows.ts";

/** A key as it is stored: never the key itself. */
export interface StoredKey {
  readonly hash: string;
  /** What lists may show. */
  readonly prefix: string;
}

const KeyRow = z.object({
  id: count,
  name: z.string().nullable(),
  prefix: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
});
const MadeKey = z.object({ id: count, created_at: z.string() });
const ReplacedKeys = MadeKey.extend({ revoked_hashes: z.array(z.string()) });
const KnownKey = z.object({ id: count, key_hash: z.string() });
const RevokedKey = z.object({ id: count, revoked_at: z.string() });

export type KeyRow = z.output<typeof KeyRow>;
export type MadeKey = z.output<typeof MadeKey>;
export type ReplacedKeys = z.output<typeof ReplacedKeys>;
export type KnownKey = z.output<typeof KnownKey>;

/** The default keys of an account, newest first. Only the newest `limit` are listed. */
export async function listDefaultKeys(db: Database, accountId: number, limit: number): Promise<KeyRow[]> {
  return selectRows(
    db,
    sql`
      select id, name, prefix, ${iso(sql`created_at`)} as created_at, ${iso(sql`revoked_at`)} as revoked_at
      from api_keys where account_id = ${accountId} and integration_id is null
      order by id desc limit ${limit}`,
    KeyRow,
  );
}

export interface NewDefaultKey extends StoredKey {
  readonly name: string | null;
  readonly scopes: readonly Scope[];
}

/** Live default keys that an account may have. Keys of integrations have a limit of their own. */
export const MAX_LIVE_DEFAULT_KEYS = 50;

/** Stores a default key. @returns null when the account has `MAX_LIVE_DEFAULT_KEYS` already; of many requests at once none gets past that */
export async function insertDefaultKey(db: Database, accountId: number, key: NewDefaultKey): Promise<MadeKey | null> {
  const [, made] = await db.batch([
    holdAccount(db, accountId),
    db.execute(sql`
      insert into api_keys (account_id, name, key_hash, prefix, scopes)
      select ${accountId}::bigint, ${key.name}::text, ${key.hash}::text, ${key.prefix}::text, ${scopesOf(key)}
      where (select count(*) from api_keys where ${isLiveDefaultKey(accountId)}) < ${MAX_LIVE_DEFAULT_KEYS}
      returning id, ${iso(sql`created_at`)} as created_at`),
  ]);
  return made.rows[0] === undefined ? null : MadeKey.parse(made.rows[0]);
}

/** A default key of this account, revoked or not; null for whatever is none. */
export async function findDefaultKey(db: Database, accountId: number, id: number): Promise<KnownKey | null> {
  const [key] = await selectRows(
    db,
    sql`select id, key_hash from api_keys where id = ${id} and account_id = ${accountId} and integration_id is null`,
    KnownKey,
  );
  return key ?? null;
}

/** The hashes of an account's live default keys. */
export async function listLiveDefaultKeys(db: Database, accountId: number): Promise<string[]> {
  const rows = await selectRows(
    db,
    sql`select key_hash from api_keys where ${isLiveDefaultKey(accountId)}`,
    z.object({ key_hash: z.string() }),
  );
  return rows.map(({ key_hash }) => key_hash);
}

/** A key that was revoked before keeps its time. */
export async function revokeKey(db: Database, id: number, now: Date): Promise<{ id: number; revoked_at: string }> {
  const [revoked] = await selectRows(
    db,
    sql`
      update api_keys set revoked_at = coalesce(revoked_at, ${now.toISOString()}) where id = ${id}
      returning id, ${iso(sql`revoked_at`)} as revoked_at`,
    RevokedKey,
  );
  if (revoked === undefined) throw new Error("the key is gone");
  return revoked;
}

/** Revokes whatever default keys of an account are live and stores one, all or nothing. Of many at once the last one's key is left. */
export async function replaceDefaultKeys(db: Database, accountId: number, key: NewDefaultKey, now: Date): Promise<ReplacedKeys> {
  const [, made] = await db.batch([
    holdAccount(db, accountId),
    // A key that was made while this request waited is not revoked before it was made.
    db.execute(sql`
      with revoked as (
        update api_keys set revoked_at = greatest(${now.toISOString()}::timestamptz, created_at) where ${isLiveDefaultKey(accountId)}
        returning key_hash
      ), made as (
        insert into api_keys (account_id, name, key_hash, prefix, scopes)
        values (${accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${scopesOf(key)})
        returning id, created_at
      )
      select made.id, ${iso(sql`made.created_at`)} as created_at, array(select key_hash from revoked) as revoked_hashes from made`),
  ]);
  const [replaced] = z.array(ReplacedKeys).parse(made.rows);
  if (replaced === undefined) throw new Error("the statement stored no key");
  return replaced;
}

const isLiveDefaultKey = (accountId: number): SQL =>
  sql`account_id = ${accountId}::bigint and integration_id is null and revoked_at is null`;

/** An array literal, of values that need no quotes: a list in a template would become one parameter an element. */
const scopesOf = ({ scopes }: NewDefaultKey): SQL => sql`${`{${scopes.join(",")}}`}::text[]`;
