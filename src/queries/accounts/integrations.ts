import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { i, k } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { apiKeys, integrations } from "../../db/schema.ts";
import { array, columnName, columnNames, integer, isoText, selectRow, selectRows } from "../../db/sql.ts";
import { SCOPES, type Scope } from "../../domain/accounts/accounts.ts";
import { lockAccount } from "./account.ts";
import type { StoredKey } from "./api-keys.ts";
import { MINUTE_MS } from "../../scoring/utc-calendar.ts";

const Scopes = z.array(z.enum(SCOPES));
const IntegrationRow = z.object({
  id: integer,
  name: z.string(),
  scopes: Scopes,
  /** Of the newest key. */
  prefix: z.string(),
  expires_at: z.string(),
  /** Of the key that the last rotation replaced, while it is still valid. */
  previous_prefix: z.string().nullable(),
  overlap_ends_at: z.string().nullable(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  /** Ids of all its keys, past and present. */
  key_ids: z.array(integer),
});
const MadeIntegration = z.object({ id: integer, expires_at: z.string() });
const RotatedIntegration = MadeIntegration.extend({ overlap_ends_at: z.string() });
const KeyHashes = z.object({ key_hashes: z.array(z.string()) });
const RevokedIntegration = KeyHashes.extend({ id: integer, revoked_at: z.string() });

export type IntegrationRow = z.output<typeof IntegrationRow>;

/** The integrations of an account below `beforeId` (null: all), newest first, including revoked ones. */
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
      select ${i.id}, ${i.name}, ${i.scopes}, newest.prefix, ${isoText(sql`newest.expires_at`)} as expires_at,
        previous.prefix as previous_prefix,
        case when ${i.overlapEndsAt} > ${at} and ${i.revokedAt} is null
          then ${isoText(i.overlapEndsAt)} end as overlap_ends_at,
        ${isoText(i.createdAt)} as created_at, ${isoText(i.revokedAt)} as revoked_at,
        (select array_agg(${k.id}::float8) from ${k} where ${k.integrationId} = ${i.id}) as key_ids
      from ${i}
      cross join lateral (
        select ${k.id}, ${k.prefix}, ${k.expiresAt} from ${k} where ${k.integrationId} = ${i.id} order by ${k.id} desc
          limit 1) newest
      left join lateral (
        select ${k.prefix} from ${k}
        where ${k.integrationId} = ${i.id} and ${k.id} < newest.id and ${k.expiresAt} > ${at}
          and ${k.revokedAt} is null
        order by ${k.id} desc limit 1) previous on true
      where ${i.accountId} = ${accountId} and (${page.beforeId}::bigint is null or ${i.id} < ${page.beforeId})
      order by ${i.id} desc limit ${page.limit}`,
    IntegrationRow,
  );
}

const INTEGRATION_COLUMNS = columnNames(
  integrations.accountId,
  integrations.name,
  integrations.scopes,
  integrations.lifetimeDays,
  integrations.createdAt,
);

const KEY_COLUMNS = columnNames(
  apiKeys.accountId,
  apiKeys.integrationId,
  apiKeys.keyHash,
  apiKeys.prefix,
  apiKeys.scopes,
  apiKeys.createdAt,
  apiKeys.expiresAt,
);

export interface NewIntegration {
  readonly accountId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lifetimeDays: number;
}

/**
 * Stores an integration and its first key.
 *
 * @returns null when the account already has `maxIntegrations` live integrations
 */
export async function insertIntegration(
  db: Database,
  { accountId, name, scopes, lifetimeDays }: NewIntegration,
  key: StoredKey,
  maxIntegrations: number,
  now: Date,
): Promise<z.output<typeof MadeIntegration> | null> {
  const at = now.toISOString();
  const [, inserted] = await db.batch([
    lockAccount(db, accountId),
    db.execute(sql`
      with added as (
        insert into ${integrations} (${INTEGRATION_COLUMNS})
        select ${accountId}, ${name}, ${array(scopes, "text")}, ${lifetimeDays}, ${at}
        where (select count(*) from ${integrations} where ${integrations.accountId} = ${accountId}
          and ${integrations.revokedAt} is null) < ${maxIntegrations}
        returning *
      )
      insert into ${apiKeys} (${KEY_COLUMNS})
      select account_id, id, ${key.hash}, ${key.prefix}, scopes, created_at,
        created_at + make_interval(days => lifetime_days) from added
      returning ${apiKeys.integrationId} as id, ${isoText(apiKeys.expiresAt)} as expires_at`),
  ]);
  return inserted.rows[0] === undefined ? null : MadeIntegration.parse(inserted.rows[0]);
}

/**
 * Gives an integration a new key and limits its other key to `overlapMinutes`, in one statement: of two
 * concurrent rotations the second finds the overlap.
 *
 * @returns null when there is no such live integration, or when its last rotation is too recent
 *   (`isLiveIntegration` distinguishes these)
 */
export async function rotateIntegration(
  db: Database,
  { accountId, id }: { accountId: number; id: number },
  key: StoredKey,
  overlapMinutes: number,
  now: Date,
): Promise<z.output<typeof RotatedIntegration> | null> {
  const at = now.toISOString();
  const overlapEndsAt = new Date(now.getTime() + overlapMinutes * MINUTE_MS).toISOString();
  return selectRow(
    db,
    sql`
      with turned as (
        update ${integrations} set ${columnName(integrations.overlapEndsAt)} = ${overlapEndsAt}
        where ${integrations.id} = ${id} and ${integrations.accountId} = ${accountId}
          and ${integrations.revokedAt} is null
          and (${integrations.overlapEndsAt} is null or ${integrations.overlapEndsAt} <= ${at})
        returning *
      ), shortened as (
        update ${k} set ${columnName(k.expiresAt)} = least(${k.expiresAt}, t.overlap_ends_at) from turned t
          where ${k.integrationId} = t.id
      ), inserted as (
        insert into ${apiKeys} (${KEY_COLUMNS})
        select account_id, id, ${key.hash}, ${key.prefix}, scopes, ${at}::timestamptz,
          ${at}::timestamptz + make_interval(days => lifetime_days)
        from turned
        returning ${apiKeys.expiresAt}
      )
      select t.id, ${isoText(sql`inserted.expires_at`)} as expires_at,
        ${isoText(sql`t.overlap_ends_at`)} as overlap_ends_at
      from turned t, inserted`,
    RotatedIntegration,
  );
}

export async function isLiveIntegration(db: Database, accountId: number, id: number): Promise<boolean> {
  const rows = await db
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.id, id), eq(integrations.accountId, accountId), isNull(integrations.revokedAt)));
  return rows.length === 1;
}

/**
 * The hashes of an integration's keys that have not expired; null when this account has no such integration.
 */
export async function findIntegrationKeys(
  db: Database,
  accountId: number,
  id: number,
  now: Date,
): Promise<string[] | null> {
  const found = await selectRow(
    db,
    sql`
      select array(select ${k.keyHash} from ${k} where ${k.integrationId} = ${i.id}
        and ${k.expiresAt} > ${now.toISOString()}) as key_hashes
      from ${i} where ${i.id} = ${id} and ${i.accountId} = ${accountId}`,
    KeyHashes,
  );
  return found?.key_hashes ?? null;
}

/**
 * Revokes an integration with all its keys. An integration or key that is already revoked keeps its
 * revocation time.
 */
export async function revokeIntegration(
  db: Database,
  id: number,
  now: Date,
): Promise<z.output<typeof RevokedIntegration>> {
  const at = now.toISOString();
  const revoked = await selectRow(
    db,
    sql`
      with stopped as (
        update ${integrations} set ${columnName(integrations.revokedAt)} = coalesce(${integrations.revokedAt}, ${at})
        where ${integrations.id} = ${id} returning ${integrations.id}, ${integrations.revokedAt}
      ), keys as (
        update ${k} set ${columnName(k.revokedAt)} = coalesce(${k.revokedAt}, ${at})
        from stopped s where ${k.integrationId} = s.id
        returning ${k.keyHash}, ${k.expiresAt}
      )
      select s.id, ${isoText(sql`s.revoked_at`)} as revoked_at, array(select key_hash from keys
        where expires_at > ${at}) as key_hashes
      from stopped s`,
    RevokedIntegration,
  );
  if (revoked === null) throw new Error(`integration ${id} does not exist`);
  return revoked;
}
