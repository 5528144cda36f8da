import type pg from "pg";
import { generateApiKey, hashCredential, keyPreview } from "../../src/auth/api-key-format.ts";

/** Temporary accounts that the audit reads with; `remove` deletes them. */
export interface AuditAccounts {
  readonly keys: readonly string[];
  remove(): Promise<void>;
}

/** Creates accounts on the Max plan in the product's database, each with one key of scope read. */
export async function createAccounts(pool: pg.Pool, credentialSecret: string, count: number): Promise<AuditAccounts> {
  const ids: number[] = [];
  const keys = Array.from({ length: count }, () => generateApiKey("svc", (bytes) => crypto.getRandomValues(bytes)));
  for (const key of keys) {
    const { rows } = await pool.query<{ account_id: number }>(
      `with account as (insert into accounts (email, plan) values ($1, 'max') returning id)
       insert into api_keys (account_id, key_hash, prefix, scopes, name) select id, $2, $3, array['read'], 'audit' from account
       returning account_id::int`,
      [`${crypto.randomUUID()}@audit.invalid`, await hashCredential(credentialSecret, key), keyPreview(key)],
    );
    ids.push(...rows.map(({ account_id }) => account_id));
  }
  return {
    keys,
    async remove() {
      await pool.query(`delete from api_keys where account_id = any($1::bigint[])`, [ids]);
      await pool.query(`delete from accounts where id = any($1::bigint[])`, [ids]);
    },
  };
}
