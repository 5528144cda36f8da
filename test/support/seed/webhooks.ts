import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { accounts, events, webhookDeliveries, webhookEndpoints } from "../../../src/db/schema.ts";
import { generateSigningSecret } from "../../../src/webhooks/rules/generate-secret.ts";
import { sealEndpointSecret } from "../../../src/lib/crypto/endpoint-secrets.ts";
import { nextNumber } from "./numbers.ts";
import { randomBytes } from "../random-bytes.ts";

/** The secret of the test runtime's Worker, so that its objects can open what is sealed here. */
export const CREDENTIAL_SECRET = "test-credential-secret-of-32-bytes-or-more";

export async function anAccount(db: Database, facts: Partial<typeof accounts.$inferInsert> = {}): Promise<number> {
  const values = { email: `owner-${nextNumber()}@example.test`, plan: "pro", ...facts };
  const [row] = await db.insert(accounts).values(values).returning({ id: accounts.id });
  if (row === undefined) throw new Error("no account was stored");
  return row.id;
}

export interface SeededEndpoint {
  readonly id: string;
  readonly accountId: number;
  readonly secret: string;
}

/** A verified endpoint of a new Pro account, subscribed to trader_synced. */
export async function anEndpoint(
  db: Database,
  facts: Partial<typeof webhookEndpoints.$inferInsert> = {},
): Promise<SeededEndpoint> {
  const accountId = facts.accountId ?? (await anAccount(db));
  const secret = generateSigningSecret(randomBytes);
  const url = `https://hooks-${nextNumber()}.example.com/in`;
  const sealed = await sealEndpointSecret(
    "signing secret",
    secret,
    { accountId, credentialKeys: { current: CREDENTIAL_SECRET, previous: [] } },
    randomBytes,
  );
  const [row] = await db
    .insert(webhookEndpoints)
    .values({
      ...{
        accountId,
        url,
        urlKey: facts.url ?? url,
        name: "hook",
        eventTypes: ["trader_synced"],
        tradeFilters: {},
        status: "active",
      },
      ...{
        verifiedAt: new Date("2026-11-20T12:00:00Z"),
        verificationTokenSealed: "",
        verificationExpiresAt: new Date(),
        secretSealed: sealed,
      },
      ...facts,
    })
    .returning({ id: webhookEndpoints.id });
  if (row === undefined) throw new Error("no endpoint was stored");
  return { id: String(row.id), accountId, secret };
}

/**
 * Resolves once every stored event can be read: transactions of other tests' databases also hold back the
 * horizon.
 */
export async function untilReadable(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db.execute(
      sql`select count(*)::int as held from events where commit_xid >= pg_snapshot_xmin(pg_current_snapshot())`,
    );
    if (rows[0]?.["held"] === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Events in the outbox's current epoch, in one transaction. @returns their public ids */
export async function someEvents(
  db: Database,
  facts: readonly Partial<typeof events.$inferInsert>[],
): Promise<string[]> {
  const rows = await db
    .insert(events)
    .values(
      facts.map((fact) => ({
        epoch: sql<number>`(select max(epoch) from outbox_epoch)`,
        type: "trader_synced",
        payload: { trader_id: 1, wallet: "0x0000000000000000000000000000000000000001" },
        ...fact,
      })),
    )
    .returning({ id: events.id, epoch: events.epoch });
  return rows.map(({ id, epoch }) => `evt_${epoch}_${id}`);
}

/** Deliveries to an endpoint, due in the past. @returns their row ids */
export async function someDeliveries(
  db: Database,
  endpointId: string,
  count: number,
  facts: Partial<typeof webhookDeliveries.$inferInsert> = {},
): Promise<string[]> {
  const rows = await db
    .insert(webhookDeliveries)
    .values(
      Array.from({ length: count }, () => {
        const eventId = `evt_1_${nextNumber()}`;
        const body = JSON.stringify({
          id: eventId,
          type: "trader_synced",
          created_at: "2026-11-20T12:00:00.000Z",
          data: {},
        });
        return {
          endpointId: Number(endpointId),
          eventId,
          eventType: "trader_synced",
          body,
          nextAttemptAt: new Date("2026-11-20T12:00:00Z"),
          ...facts,
        };
      }),
    )
    .returning({ id: webhookDeliveries.id });
  return rows.map(({ id }) => String(id));
}
