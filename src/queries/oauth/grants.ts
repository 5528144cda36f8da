import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { oauthGrants } from "../../db/schema.ts";
import { columnName, integer, isoText, selectRow, selectRows, timestamp } from "../../db/sql.ts";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { TOKEN_RESOURCES, type GrantEnd } from "../../domain/accounts/oauth.ts";
import { access, client, grant } from "./aliases.ts";

const GrantRow = z.object({
  id: integer,
  client_id: z.string(),
  client_name: z.string().nullable(),
  scopes: z.array(z.enum(SCOPES)),
  resource: z.enum(TOKEN_RESOURCES),
  created_at: z.string(),
  expires_at: z.string(),
});
const Tokens = z.object({ account_id: integer, hashes: z.array(z.string()) });

/** The access tokens of a grant that have not expired, by hash, and the account that they open. */
export interface AccessTokens {
  readonly accountId: number;
  readonly hashes: readonly string[];
}

export type GrantRow = z.output<typeof GrantRow>;

/** The newest `limit` live grants of an account, newest first. */
export async function listGrants(db: Database, accountId: number, limit: number, now: Date): Promise<GrantRow[]> {
  return selectRows(
    db,
    sql`
      select ${grant.id}, ${grant.clientId}, ${client.name} as client_name, ${grant.scopes}, ${grant.resource},
        ${isoText(grant.createdAt)} as created_at, ${isoText(grant.expiresAt)} as expires_at
      from ${grant} join ${client} on ${client.id} = ${grant.clientId}
      where ${grant.accountId} = ${accountId} and ${grant.revokedAt} is null and ${grant.expiresAt} > ${timestamp(now)}
      order by ${grant.id} desc limit ${limit}`,
    GrantRow,
  );
}

/** Whether this account has a grant with this id, live or not. */
export async function hasGrant(db: Database, accountId: number, id: number): Promise<boolean> {
  const found = await selectRow(
    db,
    sql`select ${grant.id} from ${grant} where ${grant.id} = ${id} and ${grant.accountId} = ${accountId}`,
    z.object({ id: integer }),
  );
  return found !== null;
}

/** @throws when the grant does not exist */
export async function listAccessTokens(db: Database, grantId: number, now: Date): Promise<AccessTokens> {
  const row = await selectRow(
    db,
    sql`
      select ${grant.accountId}, array(select ${access.hash} from ${access} where ${access.grantId} = ${grant.id}
        and ${access.expiresAt} > ${timestamp(now)}) as hashes
      from ${grant} where ${grant.id} = ${grantId}`,
    Tokens,
  );
  if (row === null) throw new Error(`grant ${grantId} does not exist`);
  return { accountId: row.account_id, hashes: row.hashes };
}

/**
 * Ends a grant. One that has ended keeps its time and its reason.
 *
 * @returns when it ended, and its access tokens that have not expired
 */
export async function revokeGrant(
  db: Database,
  id: number,
  endedBy: GrantEnd,
  now: Date,
): Promise<AccessTokens & { readonly revoked_at: string }> {
  const g = oauthGrants;
  const row = await selectRow(
    db,
    sql`
      with ended as (
        update ${g} set ${columnName(g.revokedAt)} = coalesce(${g.revokedAt}, ${timestamp(now)}),
          ${columnName(g.endedBy)} = coalesce(${g.endedBy}, ${endedBy}), ${columnName(g.version)} = ${g.version} + 1
        where ${g.id} = ${id} returning ${g.revokedAt}
      )
      select ${isoText(sql`ended.revoked_at`)} as revoked_at from ended`,
    z.object({ revoked_at: z.string() }),
  );
  if (row === null) throw new Error(`grant ${id} does not exist`);
  // Read by a statement of its own: one that waited for a concurrent refresh would not see that refresh's tokens.
  return { revoked_at: row.revoked_at, ...(await listAccessTokens(db, id, now)) };
}
