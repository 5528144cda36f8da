import { eq, isNotNull } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { accounts, apiKeys } from "../../db/schema.ts";
import { epochMs } from "../../db/sql.ts";
import { ACCOUNT_STATES, PLANS, SCOPES } from "../../domain/accounts/accounts.ts";

const Row = z.object({
  key_id: z.number().int(),
  account_id: z.number().int(),
  scopes: z.array(z.enum(SCOPES)),
  expires_ms: z.number().nullable(),
  revoked: z.boolean(),
  plan: z.enum(PLANS),
  state: z.enum(ACCOUNT_STATES),
  pay_as_you_go: z.boolean(),
});

export type CredentialRow = z.output<typeof Row>;

/** The key with this hash, with its account, or null. */
export async function findCredential(db: Database, keyHash: string): Promise<CredentialRow | null> {
  const [row] = await db
    .select({
      key_id: apiKeys.id,
      account_id: apiKeys.accountId,
      scopes: apiKeys.scopes,
      expires_ms: epochMs(apiKeys.expiresAt),
      revoked: isNotNull(apiKeys.revokedAt),
      plan: accounts.plan,
      state: accounts.state,
      pay_as_you_go: accounts.payAsYouGo,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.keyHash, keyHash));
  return row === undefined ? null : Row.parse(row);
}
