import pg from "pg";
import { generateApiKey, hashCredential } from "../../../src/auth/api-key-format.ts";

/**
 * Few accounts with many keys each: on this machine the meters share the stream's process and are not
 * measured. At 5,000 connections each account has 25, its limit.
 */
const ACCOUNTS = 200;

/**
 * The headers of callers with one key each; consecutive callers belong to different accounts.
 *
 * @param name of the accounts; another name makes further accounts
 */
export async function createStreamCallers(
  databaseUrl: string,
  secret: string,
  count: number,
  name = "listener",
): Promise<Record<string, string>[]> {
  const keys = Array.from({ length: count }, () => generateApiKey("svc", (bytes) => crypto.getRandomValues(bytes)));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `with added as (
       insert into accounts (email, plan)
       select $3 || '-' || n || '@localhost', 'pro' from generate_series(1, $2::int) n returning id
     )
     insert into api_keys (account_id, key_hash, prefix, scopes)
     select id, hash, 'svc_sk_live_', array['read', 'usage'] from (select id, row_number() over () as n from added) a
     join unnest($1::text[]) with ordinality as k(hash, rank) on (rank - 1) % $2::int = n - 1 order by rank`,
    [await Promise.all(keys.map((key) => hashCredential(secret, key))), ACCOUNTS, name],
  );
  await client.end();
  return keys.map((key, n) => ({ authorization: `Bearer ${key}`, "cf-connecting-ip": `10.${n >> 8}.${n & 255}.2` }));
}
