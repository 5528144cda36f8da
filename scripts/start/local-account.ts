import pg from "pg";
import { hashCredential, keyPreview } from "../../src/auth/api-key-format.ts";

/** The account of the local operator, on the Max plan, with the one key that is printed. Idempotent. */
export async function ensureLocalAccount(databaseUrl: string, credentialSecret: string, apiKey: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `with account as (
         insert into accounts (email, plan) values ('operator@localhost', 'max')
         on conflict (email) do update set plan = excluded.plan returning id
       )
       insert into api_keys (account_id, key_hash, prefix, scopes)
       select id, $1, $2, array['read', 'webhooks', 'export', 'usage'] from account
       on conflict (key_hash) do nothing`,
      [await hashCredential(credentialSecret, apiKey), keyPreview(apiKey)],
    );
  } finally {
    await client.end();
  }
}
