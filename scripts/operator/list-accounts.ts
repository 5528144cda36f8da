import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../src/db/client.ts";
import { count, iso, selectRows } from "../../src/queries/rows.ts";

const Row = z.object({
  id: count,
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

/** Accounts with their keys, a line each; of one e-mail address, or all. Never a key itself. */
export async function listAccounts(db: Database, email: string | null): Promise<string> {
  const accounts = await selectRows(
    db,
    sql`
      select a.id, a.email, a.plan, a.state, coalesce((
        select jsonb_agg(jsonb_build_object('id', k.id, 'prefix', k.prefix, 'scopes', k.scopes, 'name', k.name, 'integration', i.name,
          'expires_at', ${iso(sql`k.expires_at`)}, 'revoked_at', ${iso(sql`k.revoked_at`)}) order by k.id)
        from api_keys k left join integrations i on i.id = k.integration_id where k.account_id = a.id), '[]') as keys
      from accounts a where ${email}::text is null or a.email = ${email} order by a.id`,
    Row,
  );
  if (accounts.length === 0) return email === null ? "There are no accounts." : `There is no account of ${email}.`;
  return accounts.flatMap((account) => [presentAccount(account), ...account.keys.map(presentKey)]).join("\n");
}

const presentAccount = ({ id, email, plan, state }: z.output<typeof Row>) => `${email}  account ${id}  ${plan}  ${state}`;

function presentKey({ id, prefix, scopes, name, integration, expires_at, revoked_at }: z.output<typeof Row>["keys"][number]): string {
  const label = integration === null ? (name ?? "default") : `integration ${integration}`;
  const end = revoked_at === null ? (expires_at === null ? "live" : `until ${expires_at}`) : `revoked ${revoked_at}`;
  return `  key ${id}  ${prefix}...  ${label}  ${scopes.join(",")}  ${end}`;
}
