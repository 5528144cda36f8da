import { sql } from "drizzle-orm";
import { z } from "zod";
import { account } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { oauthAccessTokens, oauthGrants } from "../../db/schema.ts";
import { columnName, epochMs, integer, selectRow, timestamp } from "../../db/sql.ts";
import { ACCOUNT_STATES, SCOPES } from "../../domain/accounts/accounts.ts";
import { TOKEN_RESOURCES } from "../../domain/accounts/oauth.ts";
import { access, grant, refresh } from "./aliases.ts";
import { grantEnd, insertTokens, type StoredTokens } from "./insert-tokens.ts";

const RefreshRow = z
  .object({
    grant_id: integer,
    client_id: z.string(),
    account_state: z.enum(ACCOUNT_STATES),
    scopes: z.array(z.enum(SCOPES)),
    resource: z.enum(TOKEN_RESOURCES),
    is_revoked: z.boolean(),
    generation: integer,
    expires_ms: z.number(),
    current_generation: integer,
    rotated_ms: z.number().nullable(),
    version: integer,
  })
  .transform((row) => ({
    grantId: row.grant_id,
    clientId: row.client_id,
    accountState: row.account_state,
    scopes: row.scopes,
    resource: row.resource,
    isRevoked: row.is_revoked,
    generation: row.generation,
    expiresMs: row.expires_ms,
    currentGeneration: row.current_generation,
    rotatedMs: row.rotated_ms,
    version: row.version,
  }));

export async function findRefresh(db: Database, hash: string): Promise<z.output<typeof RefreshRow> | null> {
  return selectRow(
    db,
    sql`
      select ${refresh.grantId}, ${grant.clientId}, ${account.state} as account_state, ${grant.scopes}, ${grant.resource},
        ${grant.revokedAt} is not null as is_revoked, ${refresh.generation}, ${epochMs(refresh.expiresAt)} as expires_ms,
        ${grant.generation} as current_generation, ${epochMs(grant.rotatedAt)} as rotated_ms, ${grant.version}
      from ${refresh}
      join ${grant} on ${grant.id} = ${refresh.grantId}
      join ${account} on ${account.id} = ${grant.accountId}
      where ${refresh.hash} = ${hash}`,
    RefreshRow,
  );
}

export interface StoredRotation {
  readonly grantId: number;
  readonly version: number;
  readonly generation: number;
  readonly rotatedAt: Date;
}

/** Stores the tokens of a refresh. @returns false when the grant has changed since `version` */
export async function rotateTokens(
  db: Database,
  { grantId, version, generation, rotatedAt }: StoredRotation,
  tokens: StoredTokens,
  now: Date,
): Promise<boolean> {
  const g = oauthGrants;
  const row = await selectRow(
    db,
    sql`
      with granted as (
        update ${g} set ${columnName(g.generation)} = ${generation}, ${columnName(g.rotatedAt)} = ${timestamp(rotatedAt)},
          ${columnName(g.expiresAt)} = ${grantEnd(tokens)}, ${columnName(g.version)} = ${g.version} + 1
        where ${g.id} = ${grantId} and ${g.version} = ${version} and ${g.revokedAt} is null
        returning ${g.id}, ${g.generation}
      ), ${insertTokens(tokens, now)}
      select id from granted`,
    z.object({ id: integer }),
  );
  return row !== null;
}

const Owner = z
  .object({ grant_id: integer, account_id: integer, client_id: z.string() })
  .transform((row) => ({ grantId: row.grant_id, accountId: row.account_id, clientId: row.client_id }));

export type TokenOwnerRow = z.output<typeof Owner>;

/** The grant and client of a refresh token. */
export async function findRefreshOwner(db: Database, hash: string): Promise<TokenOwnerRow | null> {
  return selectRow(
    db,
    sql`select ${refresh.grantId}, ${grant.accountId}, ${grant.clientId} from ${refresh} join ${grant} on ${grant.id} = ${refresh.grantId}
      where ${refresh.hash} = ${hash}`,
    Owner,
  );
}

/** The grant and client of an access token. */
export async function findAccessOwner(db: Database, hash: string): Promise<TokenOwnerRow | null> {
  return selectRow(
    db,
    sql`select ${access.grantId}, ${grant.accountId}, ${grant.clientId} from ${access} join ${grant} on ${grant.id} = ${access.grantId}
      where ${access.hash} = ${hash}`,
    Owner,
  );
}

export async function revokeAccessToken(db: Database, hash: string, now: Date): Promise<void> {
  const t = oauthAccessTokens;
  await db.execute(
    sql`update ${t} set ${columnName(t.revokedAt)} = coalesce(${t.revokedAt}, ${timestamp(now)}) where ${t.hash} = ${hash}`,
  );
}
