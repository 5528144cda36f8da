import type { BenchServices } from "../bench-services.ts";
import type { Bundle } from "../bundles.ts";
import { ms, percentile } from "../engine/percentiles.ts";
import { median } from "../reads/measure-load.ts";
import { measureDeliveries } from "./measure-deliveries.ts";
import { measureHanging } from "./measure-hanging.ts";
import { startReceivers } from "./receivers.ts";
import { WebhookDatabase } from "./webhook-database.ts";
import { startWebhookWorker } from "./webhook-worker.ts";

const ENDPOINTS = 50;
const HANGING = 5;

/**
 * Deliveries on workerd to receivers on loopback. Aims: half of the rate of a bare client that signs and
 * posts, and, at responding endpoints, a 99th percentile at most 1.2 times as long while every tenth endpoint
 * hangs.
 */
export async function benchWebhooks(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  isSmall: boolean,
): Promise<void> {
  const database = new WebhookDatabase(services.databaseUrl, services.variables["CREDENTIAL_SECRET"] ?? "");
  const receivers = await startReceivers();
  const worker = await startWebhookWorker(product, { ...variables, ALLOW_LOOPBACK_RECEIVERS: "true" });
  const parts = { database, receivers, worker };
  try {
    // Warms objects, connections and plans.
    await measureDeliveries({ endpoints: 8, deliveries: 50 }, parts);
    for (const { endpoints, deliveries } of isSmall ? [{ endpoints: 4, deliveries: 100 }] : SIZES) {
      const rounds = [];
      for (let round = 0; round < (isSmall ? 1 : 3); round++)
        rounds.push(await measureDeliveries({ endpoints, deliveries }, parts));
      const rate = median(rounds.map((each) => each.product));
      const bare = median(rounds.map((each) => each.bare));
      const range = rounds.map((each) => Math.round(each.product)).join(", ");
      console.log(
        `webhooks, ${endpoints} endpoints: ${Math.round(rate)} deliveries/s (${range}), ${(rate / bare).toFixed(2)} of a bare client's ${Math.round(bare)} (aim: 0.5)`,
      );
    }
    await compareHanging(parts, isSmall);
  } finally {
    await worker.stop();
    receivers.stop();
    await database.close();
  }
}

const SIZES = [
  { endpoints: 1, deliveries: 2_000 },
  { endpoints: 16, deliveries: 300 },
];

/**
 * In turn, so that a slower machine slows both; each round with hanging endpoints ends before their attempts
 * time out.
 */
async function compareHanging(parts: Parameters<typeof measureHanging>[1], isSmall: boolean): Promise<void> {
  const load = { endpoints: ENDPOINTS, events: isSmall ? 4 : 44, everyMs: 250 };
  const none: number[][] = [];
  const some: number[][] = [];
  for (let round = 0; round < (isSmall ? 1 : 3); round++) {
    none.push(await measureHanging({ ...load, hanging: 0 }, parts));
    some.push(await measureHanging({ ...load, hanging: HANGING }, parts));
  }
  const middle = (rounds: readonly (readonly number[])[], share: number) =>
    median(rounds.map((round) => percentile(round, share)));
  const show = (rounds: readonly (readonly number[])[]) =>
    `p50 ${ms(middle(rounds, 0.5))}, p99 ${ms(middle(rounds, 0.99))} (${rounds.map((round) => ms(percentile(round, 0.99))).join(", ")})`;
  console.log(`webhooks, ${ENDPOINTS} endpoints, published to received, none hanging: ${show(none)}`);
  const ratio = middle(some, 0.99) / middle(none, 0.99);
  console.log(
    `webhooks, ${HANGING} of them hanging: ${show(some)} at the others, p99 ${ratio.toFixed(2)} of that (aim: 1.2)`,
  );
}
