import { sql } from "drizzle-orm";
import { z } from "zod";
import {
  apiKeys,
  idempotencyRecords,
  oauthRefreshTokens,
  pickCommitments,
  webhookEndpoints,
} from "../../src/db/schema.ts";
import { integer, selectRow, selectRows } from "../../src/db/sql.ts";
import { keyIdOf, secretsOf } from "../../src/lib/crypto/key-ring.ts";
import { OperatorError } from "./arguments.ts";
import type { Store } from "./open-store.ts";

const KeyUse = z.object({ key_id: z.string(), endpoints: integer, picks: integer, outcomes: integer });
const Hashed = z.object({ api_keys: integer, refresh_tokens: integer });

/**
 * What still needs each value of CREDENTIAL_SECRET. A stored hash does not name its key, so API keys and refresh
 * tokens are counted by the time of the rotation.
 *
 * @param before the time of a rotation: credentials from before it need the earlier value
 */
export async function describeKeys({ db, credentialKeys: keys }: Store, before: string | null): Promise<string> {
  if (keys === null)
    throw new OperatorError("Set CREDENTIAL_SECRET and CREDENTIAL_SECRET_PREVIOUS as the Worker has them.");
  const uses = await listUses(db);
  const ids = await Promise.all(secretsOf(keys).map(keyIdOf));
  const unknown = uses.map(({ key_id }) => key_id).filter((id) => !ids.includes(id));
  const lines = [...ids, ...unknown].map((id, index) => {
    const use = uses.find(({ key_id }) => key_id === id) ?? { endpoints: 0, picks: 0, outcomes: 0 };
    const role = index === 0 ? "current" : index < ids.length ? "earlier" : id === "" ? "before ids" : "NOT CONFIGURED";
    return `key ${id === "" ? "-" : id}  ${role}  endpoints: ${use.endpoints}, open picks: ${use.picks}, outcomes: ${use.outcomes}`;
  });
  if (before !== null) {
    const { api_keys, refresh_tokens } = await countHashed(db, before);
    lines.push(`from before ${before}: live API keys: ${api_keys}, refresh tokens: ${refresh_tokens}`);
  }
  return lines.join("\n");
}

/** Sealed values by the id of their key; values from before ids have none. */
async function listUses(db: Store["db"]): Promise<z.output<typeof KeyUse>[]> {
  const { verificationTokenSealed, secretSealed, stagedSecretSealed, previousSecretSealed } = webhookEndpoints;
  return selectRows(
    db,
    sql`
      with sealed as (
        select 'endpoint' as kind, ${webhookEndpoints.id}::text as owner, text from ${webhookEndpoints}
          cross join lateral unnest(array[${verificationTokenSealed}, ${secretSealed}, ${stagedSecretSealed},
            ${previousSecretSealed}]) as text where text is not null
        union all
        select 'pick', ${pickCommitments.pickId}::text, ${pickCommitments.sealedNonce} from ${pickCommitments}
          where ${pickCommitments.nonce} is null
        union all
        select 'outcome', ${idempotencyRecords.key}, ${idempotencyRecords.body} from ${idempotencyRecords}
          where ${idempotencyRecords.body} is not null and ${idempotencyRecords.expiresAt} > now()
      ), named as (
        select kind, owner, case when text like 'v2.%' then split_part(text, '.', 2) else '' end as key_id from sealed
      )
      select key_id, count(distinct owner) filter (where kind = 'endpoint') as endpoints,
        count(*) filter (where kind = 'pick') as picks, count(*) filter (where kind = 'outcome') as outcomes
      from named group by key_id order by key_id`,
    KeyUse,
  );
}

async function countHashed(db: Store["db"], before: string): Promise<z.output<typeof Hashed>> {
  const counted = await selectRow(
    db,
    sql`select
      (select count(*) from ${apiKeys} where ${apiKeys.createdAt} < ${before}::timestamptz
        and ${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > now())) as api_keys,
      (select count(*) from ${oauthRefreshTokens} where ${oauthRefreshTokens.expiresAt} > now()
        and ${oauthRefreshTokens.createdAt} < ${before}::timestamptz) as refresh_tokens`,
    Hashed,
  );
  if (counted === null) throw new Error("the count returned no row");
  return counted;
}
