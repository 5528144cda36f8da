import { asc, eq } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { webhookDeliveries, webhookEndpoints } from "../../../src/db/schema.ts";
import { WakeSignal } from "../../../src/lib/timing/wake-signal.ts";
import type { DrainSettings } from "../../../src/webhooks/delivery/endpoint-run.ts";
import { CREDENTIAL_SECRET } from "../seed/webhooks.ts";

/** How a receiver responds to a POST. */
export type ReceiverBehavior = (request: {
  url: string;
  headers: Headers;
  body: string;
  signal: AbortSignal;
}) => Response | Promise<Response>;

/** Never responds; rejects when the sender aborts. */
export const hang: ReceiverBehavior = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * The settings for draining an endpoint: receivers respond with `answer`, every name resolves to a public
 * address, and `now` is the clock.
 */
export function settingsFor(db: Database, answer: ReceiverBehavior, now: () => number): DrainSettings {
  return {
    ...{ db, now, random: () => 0.5, newLease: () => crypto.randomUUID(), wakeSignal: new WakeSignal() },
    ...{ onRetry: () => undefined, onEndpointState: () => undefined, holdUntilMs: () => 0 },
    policy: {
      resolver: { resolve: async () => ({ kind: "addresses", addresses: ["1.1.1.1"] }) },
      allowLoopback: false,
    },
    fetch: async (url, init) => {
      const { headers, body, signal } = init as { headers: Record<string, string>; body: string; signal: AbortSignal };
      return answer({ url: String(url), headers: new Headers(headers), body, signal });
    },
    ...{ headerPrefix: "x-service", credentialKeys: { current: CREDENTIAL_SECRET, previous: [] } },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    metrics: { write: () => undefined },
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
