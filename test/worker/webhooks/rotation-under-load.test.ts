import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { drainEndpoint } from "../../../src/webhooks/delivery/drain-endpoint.ts";
import { someDeliveries } from "../../support/seed/webhooks.ts";
import { settingsFor, storedDeliveries, type ReceiverBehavior } from "../../support/webhooks/drain-settings.ts";
import { openWebhookApi } from "../../support/webhooks/webhook-api.ts";

const ROUNDS = 40;
const DELIVERIES_PER_ROUND = 25;

test("no receiver with the current secrets rejects any of 1,000 deliveries during a planned rotation", async () => {
  const { db, owner: own } = await openWebhookApi();
  const owner = await own();
  const { id, signing_secret: old } = await owner.createActive();
  /**
   * Secrets of three receivers: one with both as long as possible, one with the new one as soon as it signs,
   * and one with the old one as long as it signs.
   */
  const receiverSecrets = { careful: [old], eager: [old], late: [old] };
  const rejected: string[] = [];
  let posted = 0;
  const verify: ReceiverBehavior = ({ headers, body }) => {
    posted++;
    for (const [receiver, secrets] of Object.entries(receiverSecrets)) {
      if (!secrets.some((secret) => accepts(secret, headers, body)))
        rejected.push(`delivery ${posted} by the ${receiver} one`);
    }
    return new Response();
  };
  const settings = settingsFor(db, verify, Date.now);

  const load = { isOver: false };
  async function deliver(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await someDeliveries(db, String(id), DELIVERIES_PER_ROUND);
      settings.wakeSignal.set();
      await expect.poll(() => posted, { timeout: 10_000, interval: 5 }).toBe((round + 1) * DELIVERIES_PER_ROUND);
    }
    load.isOver = true;
  }
  async function drain(): Promise<void> {
    while (!load.isOver) {
      await drainEndpoint(String(id), Date.now() + 2_000, settings);
      await settings.wakeSignal.wait(20);
    }
  }
  /** Retries like a client that gets webhook_delivery_in_progress. */
  async function step(name: string): Promise<any> {
    for (;;) {
      const { status, body } = await owner.send("POST", `/api/v1/webhooks/${id}/rotate-secret/${name}`);
      if (status === 200) return body.data;
      expect([status, body.error.reason]).toEqual([409, "webhook_delivery_in_progress"]);
    }
  }
  async function until(count: number): Promise<void> {
    await expect.poll(() => posted, { timeout: 20_000, interval: 5 }).toBeGreaterThan(count);
  }
  async function rotate(): Promise<void> {
    await until(200);
    const { signing_secret: newSecret } = await step("prepare");
    receiverSecrets.careful = [old, newSecret];
    await until(400);
    await step("activate");
    receiverSecrets.eager = [newSecret];
    await until(600);
    receiverSecrets.late = [newSecret];
    await step("retire");
    receiverSecrets.careful = [newSecret];
  }
  await Promise.all([deliver(), drain(), rotate()]);
  expect(rejected).toEqual([]);
  expect(posted).toBe(ROUNDS * DELIVERIES_PER_ROUND);
  expect((await storedDeliveries(db, String(id))).every(({ status }) => status === "delivered")).toBe(true);
  expect(receiverSecrets.careful).not.toContain(old);
});

function accepts(secret: string, headers: Headers, body: string): boolean {
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers));
    return true;
  } catch {
    return false;
  }
}
