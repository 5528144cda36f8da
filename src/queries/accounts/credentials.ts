import { sql } from "drizzle-orm";
import { z } from "zod";
import { account, k } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { array, epochMs, integer, selectRows } from "../../db/sql.ts";
import { CredentialFacts } from "../../domain/accounts/credential-record.ts";
import { access, grant } from "../oauth/aliases.ts";

const Row = CredentialFacts.extend({
  /** The hash under which it is stored. */
  hash: z.string(),
  key_id: integer,
  account_id: integer,
});

export type CredentialRow = z.output<typeof Row>;

/** The API key or access token that is stored under one of these hashes, with its account, or null. */
export async function findCredential(db: Database, hashes: readonly string[]): Promise<CredentialRow | null> {
  const [row] = await listCredentials(db, hashes);
  return row ?? null;
}

/** The API keys and access tokens that are stored under these hashes, with their accounts. */
export async function listCredentials(db: Database, hashes: readonly string[]): Promise<CredentialRow[]> {
  return selectRows(
    db,
    sql`
      select credential.*, ${account.plan}, ${account.state}, ${account.payAsYouGo}
      from (
        select ${k.keyHash} as hash, 'api_key' as credential_kind, ${k.id} as key_id, ${k.accountId}, ${k.scopes}, 'api' as resource,
          ${epochMs(k.expiresAt)} as expires_ms, ${k.revokedAt} is not null as revoked
        from ${k} where ${k.keyHash} = any(${array(hashes, "text")})
        union all
        select ${access.hash}, 'oauth_grant', ${grant.id}, ${grant.accountId}, ${access.scopes}, ${access.resource},
          ${epochMs(access.expiresAt)}, ${access.revokedAt} is not null or ${grant.revokedAt} is not null
        from ${access} join ${grant} on ${grant.id} = ${access.grantId} where ${access.hash} = any(${array(hashes, "text")})
      ) credential
      join ${account} on ${account.id} = credential.account_id`,
    Row,
  );
}
