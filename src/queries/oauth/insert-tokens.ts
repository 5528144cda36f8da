import { sql, type SQL } from "drizzle-orm";
import { oauthAccessTokens, oauthGrants, oauthRefreshTokens } from "../../db/schema.ts";
import { array, columnNames, timestamp } from "../../db/sql.ts";
import type { Scope } from "../../domain/accounts/accounts.ts";
import type { TokenResource } from "../../domain/accounts/oauth.ts";

/** How many expired tokens each issue deletes, so that there are never many. */
const EXPIRED_PER_ISSUE = 20;

export interface StoredTokens {
  readonly access: {
    readonly hash: string;
    readonly scopes: readonly Scope[];
    readonly resource: TokenResource;
    readonly expiresAt: Date;
  };
  readonly refresh: { readonly hash: string; readonly expiresAt: Date } | null;
}

const GRANT_COLUMNS = columnNames(
  oauthGrants.accountId,
  oauthGrants.clientId,
  oauthGrants.scopes,
  oauthGrants.resource,
  oauthGrants.createdAt,
  oauthGrants.expiresAt,
);
const ACCESS_COLUMNS = columnNames(
  oauthAccessTokens.hash,
  oauthAccessTokens.grantId,
  oauthAccessTokens.scopes,
  oauthAccessTokens.resource,
  oauthAccessTokens.createdAt,
  oauthAccessTokens.expiresAt,
);
const REFRESH_COLUMNS = columnNames(
  oauthRefreshTokens.hash,
  oauthRefreshTokens.grantId,
  oauthRefreshTokens.generation,
  oauthRefreshTokens.createdAt,
  oauthRefreshTokens.expiresAt,
);

/** The end of a grant with these newest tokens. */
export const grantEnd = ({ access, refresh }: StoredTokens): SQL => timestamp((refresh ?? access).expiresAt);

/**
 * Common table expressions that store tokens for the row of `granted`, which has the id and the generation of a
 * grant, and that delete some expired ones.
 */
export const insertTokens = ({ access, refresh }: StoredTokens, now: Date): SQL => sql`
  access_token as (
    insert into ${oauthAccessTokens} (${ACCESS_COLUMNS})
    select ${access.hash}, id, ${array(access.scopes, "text")}, ${access.resource}, ${timestamp(now)},
      ${timestamp(access.expiresAt)}
    from granted
  ), refresh_token as (
    insert into ${oauthRefreshTokens} (${REFRESH_COLUMNS})
    select ${refresh?.hash ?? ""}, id, generation, ${timestamp(now)}, ${timestamp((refresh ?? access).expiresAt)}
    from granted where ${refresh !== null}
  ), expired_access as (
    delete from ${oauthAccessTokens} where ${oauthAccessTokens.hash} in (
      select ${oauthAccessTokens.hash} from ${oauthAccessTokens} where ${oauthAccessTokens.expiresAt} <= ${timestamp(now)}
      limit ${EXPIRED_PER_ISSUE} for update skip locked)
  ), expired_refresh as (
    delete from ${oauthRefreshTokens} where ${oauthRefreshTokens.hash} in (
      select ${oauthRefreshTokens.hash} from ${oauthRefreshTokens}
      where ${oauthRefreshTokens.expiresAt} <= ${timestamp(now)} limit ${EXPIRED_PER_ISSUE} for update skip locked)
  )`;

/** How long a grant that has ended stays, with the reason. */
const ENDED_DAYS = 90;

/**
 * Common table expressions: `granted` is a new grant of each row of `source`, which has what the grant is about.
 * Some grants that ended long ago are deleted.
 */
export const insertGrant = (source: string, tokens: StoredTokens, now: Date): SQL => sql`
  ended_grants as (
    delete from ${oauthGrants} where ${oauthGrants.id} in (
      select ${oauthGrants.id} from ${oauthGrants}
      where ${oauthGrants.expiresAt} <= ${timestamp(now)} - make_interval(days => ${ENDED_DAYS})
      limit ${EXPIRED_PER_ISSUE} for update skip locked)
  ), granted as (
    insert into ${oauthGrants} (${GRANT_COLUMNS})
    select account_id, client_id, scopes, resource, ${timestamp(now)}, ${grantEnd(tokens)} from ${sql.identifier(source)}
    returning ${oauthGrants.id}, ${oauthGrants.generation}
  )`;
