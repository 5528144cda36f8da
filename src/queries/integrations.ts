import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { SCOPES, type Scope } from "../domain/accounts.ts";
import { holdAccount } from "./account.ts";
import type { StoredKey } from "./api-keys.ts";
import { count, iso, selectRows } from "./rows.ts";

const Scopes = z.array(z.enum(SCOPES));
const IntegrationRow = z.object({
  id: count,
  name: z.string(),
  scopes: Scopes,
  /** Of the newest key. */
  prefix: z.string(),
  expires_at: z.string(),
  /** Of the key that a rotation has replaced, while it still works. */
  previous_prefix: z.string().nullable(),
  overlap_ends_at: z.string().nullable(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  /** Every key it has had. */
  key_ids: z.array(count),
});
const MadeIntegration = z.object({ id: count, expires_at: z.string() });
const RotatedIntegration = MadeIntegration.extend({ overlap_ends_at: z.string() });
const KeyHashes = z.object({ key_hashes: z.array(z.string()) });
const RevokedIntegration = KeyHashes.extend({ id: count, revoked_at: z.string() });

export type IntegrationRow = z.output<typeof IntegrationRow>;

/** The integrations of an account below `beforeId` (null: all), newest first, revoked ones too. */
export async function listIntegrations(
  db: Database,
  accountId: number,
  page: { beforeId: number | null; limit: number },
  now: Date,
): Promise<IntegrationRow[]> {
  const at = now.toISOString();
  return selectRows(
    db,
    sql`
      select i.id, i.name, i.scopes, newest.prefix, ${iso(sql`newest.expires_at`)} as expires_at, previous.prefix as previous_prefix,
        case when i.overlap_ends_at > ${at} and i.revoked_at is null then ${iso(sql`i.overlap_ends_at`)} end as overlap_ends_at,
        ${iso(sql`i.created_at`)} as created_at, ${iso(sql`i.revoked_at`)} as revoked_at,
        (select array_agg(k.id::float8) from api_keys k where k.integration_id = i.id) as key_ids
      from integrations i
      cross join lateral (
        select k.id, k.prefix, k.expires_at from api_keys k where k.integration_id = i.id order by k.id desc limit 1) newest
      left join lateral (
        select k.prefix from api_keys k
        where k.integration_id = i.id and k.id < newest.id and k.expires_at > ${at} and k.revoked_at is null
        order by k.id desc limit 1) previous on true
      where i.account_id = ${accountId} and (${page.beforeId}::bigint is null or i.id < ${page.beforeId})
      order by i.id desc limit ${page.limit}`,
    IntegrationRow,
  );
}

export interface NewIntegration {
  readonly accountId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lifetimeDays: number;
}

/** Stores an integration and its first key. @returns null when the account has `most` of them already */
export async function insertIntegration(
  db: Database,
  { accountId, name, scopes, lifetimeDays }: NewIntegration,
  key: StoredKey,
  most: number,
  now: Date,
): Promise<z.output<typeof MadeIntegration> | null> {
  const at = now.toISOString();
  const [, made] = await db.batch([
    holdAccount(db, accountId),
    db.execute(sql`
      with added as (
        insert into integrations (account_id, name, scopes, lifetime_days, created_at)
        select ${accountId}, ${name}, ${`{${scopes.join(",")}}`}::text[], ${lifetimeDays}, ${at}
        where (select count(*) from integrations where account_id = ${accountId} and revoked_at is null) < ${most}
        returning *
      )
      insert into api_keys (account_id, integration_id, key_hash, prefix, scopes, created_at, expires_at)
      select account_id, id, ${key.hash}, ${key.prefix}, scopes, created_at, created_at + make_interval(days => lifetime_days) from added
      returning integration_id as id, ${iso(sql`expires_at`)} as expires_at`),
  ]);
  return made.rows[0] === undefined ? null : MadeIntegration.parse(made.rows[0]);
}

/**
 * Gives an integration a new key, and its other one `overlapMinutes` more, in one statement: of two at once the second finds the overlap.
 *
 * @returns null when there is no such live integration, or its last rotation is too recent (`isLiveIntegration` tells which)
 */
export async function rotateIntegration(
  db: Database,
  { accountId, id }: { accountId: number; id: number },
  key: StoredKey,
  overlapMinutes: number,
  now: Date,
): Promise<z.output<typeof RotatedIntegration> | null> {
  const at = now.toISOString();
  const overlapEndsAt = new Date(now.getTime() + overlapMinutes * 60_000).toISOString();
  const [rotated] = await selectRows(
    db,
    sql`
      with turned as (
        update integrations set overlap_ends_at = ${overlapEndsAt}
        where id = ${id} and account_id = ${accountId} and revoked_at is null and (overlap_ends_at is null or overlap_ends_at <= ${at})
        returning *
      ), shortened as (
        update api_keys k set expires_at = least(k.expires_at, t.overlap_ends_at) from turned t where k.integration_id = t.id
      ), made as (
        insert into api_keys (account_id, integration_id, key_hash, prefix, scopes, created_at, expires_at)
        select account_id, id, ${key.hash}, ${key.prefix}, scopes, ${at}::timestamptz, ${at}::timestamptz + make_interval(days => lifetime_days)
        from turned
        returning expires_at
      )
      select t.id, ${iso(sql`made.expires_at`)} as expires_at, ${iso(sql`t.overlap_ends_at`)} as overlap_ends_at from turned t, made`,
    RotatedIntegration,
  );
  return rotated ?? null;
}

export async function isLiveIntegration(db: Database, accountId: number, id: number): Promise<boolean> {
  const { rows } = await db.execute(sql`select from integrations where id = ${id} and account_id = ${accountId} and revoked_at is null`);
  return rows.length === 1;
}

/** The hashes of the keys an integration has had, but long expired ones; null when this account has no such integration. */
export async function findIntegrationKeys(db: Database, accountId: number, id: number, now: Date): Promise<string[] | null> {
  const [found] = await selectRows(
    db,
    sql`
      select array(select k.key_hash from api_keys k where k.integration_id = i.id and k.expires_at > ${now.toISOString()}) as key_hashes
      from integrations i where i.id = ${id} and i.account_id = ${accountId}`,
    KeyHashes,
  );
  return found?.key_hashes ?? null;
}

/** Revokes an integration with all its keys. What was revoked before keeps its time. */
export async function revokeIntegration(db: Database, id: number, now: Date): Promise<z.output<typeof RevokedIntegration>> {
  const at = now.toISOString();
  const [revoked] = await selectRows(
    db,
    sql`
      with stopped as (
        update integrations set revoked_at = coalesce(revoked_at, ${at}) where id = ${id} returning id, revoked_at
      ), keys as (
        update api_keys k set revoked_at = coalesce(k.revoked_at, ${at}) from stopped s where k.integration_id = s.id
        returning k.key_hash, k.expires_at
      )
      select s.id, ${iso(sql`s.revoked_at`)} as revoked_at, array(select key_hash from keys where expires_at > ${at}) as key_hashes
      from stopped s`,
    RevokedIntegration,
  );
  if (revoked === undefined) throw new Error("the integration is gone");
  return revoked;
}
