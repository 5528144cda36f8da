import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { drainEndpoint } from "../../../src/webhooks/drain-endpoint.ts";
import { someDeliveries } from "../../support/seed/webhooks.ts";
import { settingsFor, storedDeliveries, type Answer } from "../../support/webhooks/delivering.ts";
import { openManaged } from "../../support/webhooks/managing.ts";

const ROUNDS = 40;
const EACH = 25;

test("while a secret is prepared, activated and retired under 1,000 deliveries no receiver that holds what its owner knows rejects one", async () => {
  const { db, owner: own } = await openManaged();
  const owner = await own();
  const { id, signing_secret: old } = await owner.createActive();
  /** What receivers hold: both as long as it makes sense, the new one as soon as it signs, the old one as long as it signs. */
  const held = { careful: [old], eager: [old], late: [old] };
  const rejected: string[] = [];
  let posted = 0;
  const verify: Answer = ({ headers, body }) => {
    posted++;
    for (const [receiver, secrets] of Object.entries(held)) {
      if (!secrets.some((secret) => accepts(secret, headers, body))) rejected.push(`delivery ${posted} by the ${receiver} one`);
    }
    return new Response();
  };
  const settings = settingsFor(db, verify, Date.now);

  const load = { isOver: false };
  async function deliver(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await someDeliveries(db, String(id), EACH);
      settings.bell.ring();
      await expect.poll(() => posted, { timeout: 10_000, interval: 5 }).toBe((round + 1) * EACH);
    }
    load.isOver = true;
  }
  async function drain(): Promise<void> {
    while (!load.isOver) {
      await drainEndpoint(String(id), Date.now() + 2_000, settings);
      await settings.bell.next(20);
    }
  }
  /** As a client does it that is told that a delivery is under way. */
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
    const { signing_secret: fresh } = await step("prepare");
    held.careful = [old, fresh];
    await until(400);
    await step("activate");
    held.eager = [fresh];
    await until(600);
    held.late = [fresh];
    await step("retire");
    held.careful = [fresh];
  }
  await Promise.all([deliver(), drain(), rotate()]);
  expect(rejected).toEqual([]);
  expect(posted).toBe(ROUNDS * EACH);
  expect((await storedDeliveries(db, String(id))).every(({ status }) => status === "delivered")).toBe(true);
  expect(held.careful).not.toContain(old);
}, 60_000);

function accepts(secret: string, headers: Headers, body: string): boolean {
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers));
    return true;
  } catch {
    return false;
  }
}
