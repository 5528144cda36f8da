import { sql } from "drizzle-orm";
import { z } from "zod";
import { account } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { oauthDeviceCodes } from "../../db/schema.ts";
import { array, columnName, columnNames, epochMs, integer, run, selectRow, timestamp } from "../../db/sql.ts";
import { ACCOUNT_STATES, SCOPES, type Scope } from "../../domain/accounts/accounts.ts";
import { DEVICE_DECISIONS, GRANT_TYPES, TOKEN_RESOURCES, type TokenResource } from "../../domain/accounts/oauth.ts";
import { client, device } from "./aliases.ts";
import { insertGrant, insertTokens, type StoredTokens } from "./insert-tokens.ts";

/** How many old codes each insert deletes. */
const EXPIRED_PER_INSERT = 20;

export interface NewDeviceCode {
  readonly hash: string;
  readonly userCodeHash: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly expiresAt: Date;
  readonly intervalSeconds: number;
}

const d = oauthDeviceCodes;
const DEVICE_COLUMNS = columnNames(
  d.hash,
  d.userCodeHash,
  d.clientId,
  d.scopes,
  d.resource,
  d.expiresAt,
  d.intervalSeconds,
);

/**
 * Stores a request of a device. Requests that expired a day ago are deleted.
 *
 * @returns false when another request has the same user code
 */
export async function insertDeviceCode(db: Database, row: NewDeviceCode, now: Date): Promise<boolean> {
  const inserted = await run(
    db,
    sql`
      with swept as (
        delete from ${d} where ${d.hash} in (
          select ${d.hash} from ${d} where ${d.expiresAt} <= ${timestamp(now)} - interval '1 day'
          limit ${EXPIRED_PER_INSERT} for update skip locked)
      )
      insert into ${d} (${DEVICE_COLUMNS})
      values (${row.hash}, ${row.userCodeHash}, ${row.clientId}, ${array(row.scopes, "text")}, ${row.resource},
        ${timestamp(row.expiresAt)}, ${row.intervalSeconds})
      on conflict (${columnName(d.userCodeHash)}) do nothing`,
  );
  return inserted === 1;
}

const DeviceRow = z
  .object({
    client_id: z.string(),
    grant_types: z.array(z.enum(GRANT_TYPES)),
    scopes: z.array(z.enum(SCOPES)),
    resource: z.enum(TOKEN_RESOURCES),
    expires_ms: z.number(),
    decision: z.enum(DEVICE_DECISIONS),
    account_state: z.enum(ACCOUNT_STATES).nullable(),
    interval_seconds: integer,
    polled_ms: z.number().nullable(),
    version: integer,
  })
  .transform((row) => ({
    clientId: row.client_id,
    clientGrantTypes: row.grant_types,
    scopes: row.scopes,
    resource: row.resource,
    expiresMs: row.expires_ms,
    decision: row.decision,
    accountState: row.account_state,
    intervalSeconds: row.interval_seconds,
    polledMs: row.polled_ms,
    version: row.version,
  }));

export async function findDevice(db: Database, hash: string): Promise<z.output<typeof DeviceRow> | null> {
  return selectRow(
    db,
    sql`
      select ${device.clientId}, ${client.grantTypes}, ${device.scopes}, ${device.resource},
        ${epochMs(device.expiresAt)} as expires_ms, ${device.decision}, ${account.state} as account_state,
        ${device.intervalSeconds}, ${epochMs(device.polledAt)} as polled_ms, ${device.version}
      from ${device}
      join ${client} on ${client.id} = ${device.clientId}
      left join ${account} on ${account.id} = ${device.accountId}
      where ${device.hash} = ${hash}`,
    DeviceRow,
  );
}

/** @returns false when the request has changed since `version` */
export async function recordPoll(
  db: Database,
  hash: string,
  version: number,
  intervalSeconds: number,
  now: Date,
): Promise<boolean> {
  const updated = await run(
    db,
    sql`
      update ${d} set ${columnName(d.polledAt)} = ${timestamp(now)}, ${columnName(d.intervalSeconds)} = ${intervalSeconds},
        ${columnName(d.version)} = ${d.version} + 1
      where ${d.hash} = ${hash} and ${d.version} = ${version}`,
  );
  return updated === 1;
}

/** Makes a grant of an approved request. @returns its id; null when the request has changed since `version` */
export async function redeemDevice(
  db: Database,
  hash: string,
  version: number,
  tokens: StoredTokens,
  now: Date,
): Promise<number | null> {
  const row = await selectRow(
    db,
    sql`
      with approved as (
        update ${d} set ${columnName(d.decision)} = 'redeemed', ${columnName(d.version)} = ${d.version} + 1
        where ${d.hash} = ${hash} and ${d.version} = ${version} and ${d.decision} = 'approved'
        returning ${d.accountId}, ${d.clientId}, ${d.scopes}, ${d.resource}
      ), ${insertGrant("approved", tokens, now)}, ${insertTokens(tokens, now)}
      select id from granted`,
    z.object({ id: integer }),
  );
  return row?.id ?? null;
}

const PendingDevice = z
  .object({
    client_id: z.string(),
    client_name: z.string().nullable(),
    scopes: z.array(z.enum(SCOPES)),
    resource: z.enum(TOKEN_RESOURCES),
  })
  .transform((row) => ({
    clientId: row.client_id,
    clientName: row.client_name,
    scopes: row.scopes,
    resource: row.resource,
  }));

export type PendingDevice = z.output<typeof PendingDevice>;

/** The undecided request with this user code; null when there is none, or when it has expired. */
export async function findPendingDevice(db: Database, userCodeHash: string, now: Date): Promise<PendingDevice | null> {
  return selectRow(
    db,
    sql`
      select ${device.clientId}, ${client.name} as client_name, ${device.scopes}, ${device.resource}
      from ${device} join ${client} on ${client.id} = ${device.clientId}
      where ${device.userCodeHash} = ${userCodeHash} and ${device.decision} = 'pending'
        and ${device.expiresAt} > ${timestamp(now)}`,
    PendingDevice,
  );
}

/** Decides an undecided request. @returns false when it is decided already, or has expired */
export async function decideDevice(
  db: Database,
  userCodeHash: string,
  { accountId, isApproved }: { readonly accountId: number; readonly isApproved: boolean },
  now: Date,
): Promise<boolean> {
  const updated = await run(
    db,
    sql`
      update ${d} set ${columnName(d.decision)} = ${isApproved ? "approved" : "denied"},
        ${columnName(d.accountId)} = ${accountId}, ${columnName(d.version)} = ${d.version} + 1
      where ${d.userCodeHash} = ${userCodeHash} and ${d.decision} = 'pending' and ${d.expiresAt} > ${timestamp(now)}`,
  );
  return updated === 1;
}
