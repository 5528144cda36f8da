import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { generateApiKey, hashCredential } from "../../../src/auth/api-key-format.ts";

export interface ReaderFacts {
  readonly plan: string;
  readonly scopes: readonly string[];
}

/**
 * Adds this many accounts with keys to a started product; together they may read more than one account.
 * @returns the keys
 */
export async function addReaders(
  databaseUrl: string,
  dataDir: string,
  count: number,
  { plan, scopes }: ReaderFacts = { plan: "pro", scopes: ["read", "usage"] },
): Promise<string[]> {
  const { credentialSecret } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));
  const keys = Array.from({ length: count }, () => generateApiKey("svc", (bytes) => crypto.getRandomValues(bytes)));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const key of keys) {
      await client.query(
        `with account as (insert into accounts (email, plan) values ($1, $3) returning id)
         insert into api_keys (account_id, key_hash, prefix, scopes) select id, $2, 'svc_sk_live_', $4 from account`,
        [`${crypto.randomUUID()}@reader.test`, await hashCredential(credentialSecret, key), plan, scopes],
      );
    }
  } finally {
    await client.end();
  }
  return keys;
}
