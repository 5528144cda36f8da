import type { Database } from "../../../src/db/client.ts";
import { accounts, exportJobs } from "../../../src/db/schema.ts";

/** A job of a new account, queued unless the facts differ. */
export async function anExportJob(
  db: Database,
  facts: Partial<typeof exportJobs.$inferInsert> = {},
): Promise<{ readonly id: number; readonly accountId: number }> {
  const [account] = await db
    .insert(accounts)
    .values({ email: `${crypto.randomUUID()}@example.test`, plan: "pro" })
    .returning({ id: accounts.id });
  if (account === undefined) throw new Error("no account was stored");
  const now = new Date();
  const [job] = await db
    .insert(exportJobs)
    .values({
      ...{ kind: "whale_dataset", accountId: account.id, format: "ndjson", requestKey: "test", maxAttempts: 3 },
      request: {
        ...{
          from: "2026-11-19T00:00:00.000Z",
          to: "2026-11-21T00:00:00.000Z",
          condition_id: null,
          min_size_cents: null,
        },
      },
      ...{ createdAt: now, dueAt: now, expiresAt: new Date(now.getTime() + 86_400_000) },
      ...facts,
    })
    .returning({ id: exportJobs.id });
  if (job === undefined) throw new Error("no job was stored");
  return { id: job.id, accountId: account.id };
}
