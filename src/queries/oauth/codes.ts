import { sql } from "drizzle-orm";
import { z } from "zod";
import { account } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { oauthCodes } from "../../db/schema.ts";
import { array, columnName, columnNames, epochMs, integer, selectRow, timestamp } from "../../db/sql.ts";
import { ACCOUNT_STATES, SCOPES, type Scope } from "../../domain/accounts/accounts.ts";
import { GRANT_TYPES, TOKEN_RESOURCES, type TokenResource } from "../../domain/accounts/oauth.ts";
import { client, code } from "./aliases.ts";
import { insertGrant, insertTokens, type StoredTokens } from "./insert-tokens.ts";

/** How many old codes each insert deletes. */
const EXPIRED_PER_INSERT = 20;

export interface NewCode {
  readonly hash: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly expiresAt: Date;
}

const CODE_COLUMNS = columnNames(
  oauthCodes.hash,
  oauthCodes.accountId,
  oauthCodes.clientId,
  oauthCodes.redirectUri,
  oauthCodes.codeChallenge,
  oauthCodes.scopes,
  oauthCodes.resource,
  oauthCodes.expiresAt,
);

/** Stores a code. Codes that expired a day ago are deleted: until then the reuse of one ends its grant. */
export async function insertCode(db: Database, row: NewCode, now: Date): Promise<void> {
  await db.execute(sql`
    with swept as (
      delete from ${oauthCodes} where ${oauthCodes.hash} in (
        select ${oauthCodes.hash} from ${oauthCodes}
        where ${oauthCodes.expiresAt} <= ${timestamp(now)} - interval '1 day'
        limit ${EXPIRED_PER_INSERT} for update skip locked)
    )
    insert into ${oauthCodes} (${CODE_COLUMNS})
    values (${row.hash}, ${row.accountId}, ${row.clientId}, ${row.redirectUri}, ${row.codeChallenge},
      ${array(row.scopes, "text")}, ${row.resource}, ${timestamp(row.expiresAt)})`);
}

const CodeRow = z
  .object({
    client_id: z.string(),
    account_id: integer,
    account_state: z.enum(ACCOUNT_STATES),
    grant_types: z.array(z.enum(GRANT_TYPES)),
    redirect_uri: z.string(),
    code_challenge: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    resource: z.enum(TOKEN_RESOURCES),
    expires_ms: z.number(),
    grant_id: integer.nullable(),
  })
  .transform((row) => ({
    clientId: row.client_id,
    accountId: row.account_id,
    accountState: row.account_state,
    clientGrantTypes: row.grant_types,
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    scopes: row.scopes,
    resource: row.resource,
    expiresMs: row.expires_ms,
    grantId: row.grant_id,
  }));

export async function findCode(db: Database, hash: string): Promise<z.output<typeof CodeRow> | null> {
  return selectRow(
    db,
    sql`
      select ${code.clientId}, ${code.accountId}, ${account.state} as account_state, ${client.grantTypes},
        ${code.redirectUri}, ${code.codeChallenge}, ${code.scopes}, ${code.resource},
        ${epochMs(code.expiresAt)} as expires_ms, ${code.grantId}
      from ${code}
      join ${account} on ${account.id} = ${code.accountId}
      join ${client} on ${client.id} = ${code.clientId}
      where ${code.hash} = ${hash}`,
    CodeRow,
  );
}

/**
 * Makes a grant of an unused code, in one statement: of concurrent requests the second waits for the row and
 * then finds it used.
 *
 * @returns the id of the grant; null when the code is used
 */
export async function redeemCode(db: Database, hash: string, tokens: StoredTokens, now: Date): Promise<number | null> {
  const row = await selectRow(
    db,
    sql`
      with unused as (
        select ${oauthCodes.hash}, ${oauthCodes.accountId}, ${oauthCodes.clientId}, ${oauthCodes.scopes},
          ${oauthCodes.resource}
        from ${oauthCodes} where ${oauthCodes.hash} = ${hash} and ${oauthCodes.grantId} is null
        for update
      ), ${insertGrant("unused", tokens, now)}, ${insertTokens(tokens, now)}, used as (
        update ${oauthCodes} set ${columnName(oauthCodes.grantId)} = granted.id from granted
        where ${oauthCodes.hash} = ${hash}
      )
      select id from granted`,
    z.object({ id: integer }),
  );
  return row?.id ?? null;
}
