import { asc, eq } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { webhookDeliveries, webhookEndpoints } from "../../../src/db/schema.ts";
import { Bell } from "../../../src/lib/bell.ts";
import type { DrainSettings } from "../../../src/webhooks/endpoint-run.ts";
import { CREDENTIAL_SECRET } from "../seed/webhooks.ts";

/** A receiver's way of answering a POST. */
export type Answer = (request: { url: string; headers: Headers; body: string; signal: AbortSignal }) => Response | Promise<Response>;

/** Never answers; gives up when the poster does. */
export const hang: Answer = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** What delivering needs, with receivers that answer like this, names that all resolve to a public address, and the clock given. */
export function settingsFor(db: Database, answer: Answer, now: () => number): DrainSettings {
  return {
    ...{ db, now, random: () => 0.5, newLease: () => crypto.randomUUID(), bell: new Bell() },
    ...{ onRetry: () => undefined, onSeen: () => undefined, heldUntilMs: () => 0 },
    policy: { resolver: { resolve: async () => ({ kind: "addresses", addresses: ["1.1.1.1"] }) }, allowLoopback: false },
    fetch: async (url, init) => {
      const { headers, body, signal } = init as { headers: Record<string, string>; body: string; signal: AbortSignal };
      return answer({ url: String(url), headers: new Headers(headers), body, signal });
    },
    ...{ headerPrefix: "x-service", credentialSecret: CREDENTIAL_SECRET },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  };
}

export const storedDeliveries = (db: Database, endpointId: string) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, Number(endpointId)))
    .orderBy(asc(webhookDeliveries.id));

export async function storedEndpoint(db: Database, id: string) {
  const [row] = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, Number(id)));
  if (row === undefined) throw new Error(`no endpoint ${id}`);
  return row;
}
