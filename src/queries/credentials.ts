import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { ACCOUNT_STATES, PLANS, SCOPES } from "../domain/accounts.ts";

const Row = z.object({
  key_id: z.coerce.number().int(),
  account_id: z.coerce.number().int(),
  scopes: z.array(z.enum(SCOPES)),
  expires_ms: z.number().nullable(),
  revoked: z.boolean(),
  plan: z.enum(PLANS),
  state: z.enum(ACCOUNT_STATES),
  pay_as_you_go: z.boolean(),
});

export type CredentialRow = z.output<typeof Row>;

/** The key with this hash and the account it belongs to, or null. */
export async function findCredential(db: Database, keyHash: string): Promise<CredentialRow | null> {
  const { rows } = await db.execute(sql`
    select k.id as key_id, k.account_id, k.scopes, (extract(epoch from k.expires_at) * 1000)::float8 as expires_ms,
      k.revoked_at is not null as revoked, a.plan, a.state, a.pay_as_you_go
    from api_keys k join accounts a on a.id = k.account_id
    where k.key_hash = ${keyHash}`);
  return rows[0] === undefined ? null : Row.parse(rows[0]);
}
