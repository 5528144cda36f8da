import { sql } from "drizzle-orm";
import { z } from "zod";
import { account, i, k } from "../../src/db/aliases.ts";
import type { Database } from "../../src/db/client.ts";
import { integer, isoText, selectRows } from "../../src/db/sql.ts";

const Row = z.object({
  id: integer,
  email: z.string(),
  plan: z.string(),
  state: z.string(),
  keys: z.array(
    z.object({
      id: z.number(),
      prefix: z.string(),
      scopes: z.array(z.string()),
      name: z.string().nullable(),
      integration: z.string().nullable(),
      expires_at: z.string().nullable(),
      revoked_at: z.string().nullable(),
    }),
  ),
});

/**
 * Accounts with their keys, one line each: those of one e-mail address, or all. Shows previews of keys, never
 * a key.
 */
export async function listAccounts(db: Database, email: string | null): Promise<string> {
  const accounts = await selectRows(
    db,
    sql`
      select ${account.id}, ${account.email}, ${account.plan}, ${account.state}, coalesce((
        select jsonb_agg(jsonb_build_object('id', ${k.id}, 'prefix', ${k.prefix}, 'scopes', ${k.scopes},
          'name', ${k.name}, 'integration', ${i.name},
          'expires_at', ${isoText(k.expiresAt)}, 'revoked_at', ${isoText(k.revokedAt)}) order by ${k.id})
        from ${k} left join ${i} on ${i.id} = ${k.integrationId} where ${k.accountId} = ${account.id}), '[]') as keys
      from ${account} where ${email}::text is null or ${account.email} = ${email} order by ${account.id}`,
    Row,
  );
  if (accounts.length === 0) return email === null ? "There are no accounts." : `There is no account of ${email}.`;
  return accounts.flatMap((row) => [presentAccount(row), ...row.keys.map(presentKey)]).join("\n");
}

const presentAccount = ({ id, email, plan, state }: z.output<typeof Row>) =>
  `${email}  account ${id}  ${plan}  ${state}`;

function presentKey({
  id,
  prefix,
  scopes,
  name,
  integration,
  expires_at,
  revoked_at,
}: z.output<typeof Row>["keys"][number]): string {
  const label = integration === null ? (name ?? "default") : `integration ${integration}`;
  const end = revoked_at === null ? (expires_at === null ? "live" : `until ${expires_at}`) : `revoked ${revoked_at}`;
  return `  key ${id}  ${prefix}...  ${label}  ${scopes.join(",")}  ${end}`;
}
