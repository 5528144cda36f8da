import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import type { Scope } from "../domain/accounts.ts";
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
const ReplacedKeys = MadeKey.extend({ revoked_count: count });
const KnownKey = z.object({ id: count, key_hash: z.string() });
const RevokedKey = z.object({ id: count, revoked_at: z.string() });

export type KeyRow = z.output<typeof KeyRow>;
export type MadeKey = z.output<typeof MadeKey>;
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

export async function insertDefaultKey(db: Database, accountId: number, key: NewDefaultKey): Promise<MadeKey> {
  const rows = await selectRows(
    db,
    sql`
      insert into api_keys (account_id, name, key_hash, prefix, scopes)
      values (${accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${arrayOf(key.scopes)}::text[])
      returning id, ${iso(sql`created_at`)} as created_at`,
    MadeKey,
  );
  return only(rows);
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

export async function listLiveDefaultKeys(db: Database, accountId: number): Promise<KnownKey[]> {
  return selectRows(
    db,
    sql`select id, key_hash from api_keys where account_id = ${accountId} and integration_id is null and revoked_at is null`,
    KnownKey,
  );
}

/** A key that was revoked before keeps its time. */
export async function revokeKey(db: Database, id: number, now: Date): Promise<{ id: number; revoked_at: string }> {
  const rows = await selectRows(
    db,
    sql`
      update api_keys set revoked_at = coalesce(revoked_at, ${now.toISOString()}) where id = ${id}
      returning id, ${iso(sql`revoked_at`)} as revoked_at`,
    RevokedKey,
  );
  return only(rows);
}

/** Revokes these default keys and stores one new, all or nothing. */
export async function replaceDefaultKeys(
  db: Database,
  accountId: number,
  ids: readonly number[],
  key: NewDefaultKey,
  now: Date,
): Promise<z.output<typeof ReplacedKeys>> {
  const rows = await selectRows(
    db,
    sql`
      with revoked as (
        update api_keys set revoked_at = ${now.toISOString()}
        where id = any (${arrayOf(ids)}::bigint[]) and account_id = ${accountId} and revoked_at is null
        returning id
      ), made as (
        insert into api_keys (account_id, name, key_hash, prefix, scopes)
        values (${accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${arrayOf(key.scopes)}::text[])
        returning id, created_at
      )
      select made.id, ${iso(sql`made.created_at`)} as created_at, (select count(*) from revoked) as revoked_count from made`,
    ReplacedKeys,
  );
  return only(rows);
}

/** An array literal, of values that need no quotes: a list in a template would become one parameter an element. */
const arrayOf = (values: readonly (number | Scope)[]) => `{${values.join(",")}}`;

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error("the statement stored no key");
  return row;
}
