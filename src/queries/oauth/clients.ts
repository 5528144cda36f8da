import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { oauthClients, oauthCodes, oauthDeviceCodes, oauthGrants } from "../../db/schema.ts";
import { array, columnName, columnNames, epochMs, excluded, run, selectRow, setEach, timestamp } from "../../db/sql.ts";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { GRANT_TYPES, type OAuthClient } from "../../domain/accounts/oauth.ts";
import { client } from "./aliases.ts";

/** Clients without a grant are deleted when they were not used for this long. */
const UNUSED_DAYS = 30;
const UNUSED_PER_INSERT = 20;

const ClientRow = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    uri: z.string().nullable(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.enum(GRANT_TYPES)),
    scopes: z.array(z.enum(SCOPES)),
    fetched_ms: z.number().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    name: row.name,
    uri: row.uri,
    redirectUris: row.redirect_uris,
    grantTypes: row.grant_types,
    scopes: row.scopes,
    fetchedMs: row.fetched_ms,
  }));

export type ClientRow = z.output<typeof ClientRow>;

export async function findClient(db: Database, id: string): Promise<ClientRow | null> {
  return selectRow(
    db,
    sql`
      select ${client.id}, ${client.name}, ${client.uri}, ${client.redirectUris}, ${client.grantTypes}, ${client.scopes},
        ${epochMs(client.fetchedAt)} as fetched_ms
      from ${client} where ${client.id} = ${id}`,
    ClientRow,
  );
}

/** Notes that a client asks for access. @returns false when the client has been deleted since it was read */
export async function touchClient(db: Database, id: string, now: Date): Promise<boolean> {
  const c = oauthClients;
  return (
    (await run(
      db,
      sql`update ${c} set ${columnName(c.usedAt)} = greatest(${c.usedAt}, ${timestamp(now)}) where ${c.id} = ${id}`,
    )) === 1
  );
}

const WRITTEN = [
  oauthClients.name,
  oauthClients.uri,
  oauthClients.redirectUris,
  oauthClients.grantTypes,
  oauthClients.scopes,
];

/**
 * Stores a client, or the newer state of its document. Some clients that are unused and have neither a grant
 * nor an open request are deleted.
 *
 * @param isDocument whether its id is the URL of its document
 */
export async function storeClient(db: Database, row: OAuthClient, isDocument: boolean, now: Date): Promise<void> {
  const c = oauthClients;
  await db.execute(sql`
    with swept as (
      delete from ${c} where ${c.id} in (
        select ${client.id} from ${client}
        where ${client.usedAt} <= ${timestamp(now)} - make_interval(days => ${UNUSED_DAYS}) and ${client.id} <> ${row.id}
          and not exists (select from ${oauthGrants} where ${oauthGrants.clientId} = ${client.id})
          and not exists (select from ${oauthCodes} where ${oauthCodes.clientId} = ${client.id})
          and not exists (select from ${oauthDeviceCodes} where ${oauthDeviceCodes.clientId} = ${client.id})
        limit ${UNUSED_PER_INSERT} for update skip locked)
    )
    insert into ${c} (${columnNames(c.id, ...WRITTEN, c.createdAt, c.fetchedAt, c.usedAt)})
    values (${row.id}, ${row.name}, ${row.uri}, ${array(row.redirectUris, "text")}, ${array(row.grantTypes, "text")},
      ${array(row.scopes, "text")}, ${timestamp(now)}, ${isDocument ? timestamp(now) : null}, ${timestamp(now)})
    on conflict (${columnName(c.id)}) do update set ${setEach([...WRITTEN, c.fetchedAt, c.usedAt], excluded)}`);
}
