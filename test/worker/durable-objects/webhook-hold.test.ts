import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { someDeliveries } from "../../support/seed/webhooks.ts";
import type { Answer } from "../../support/kernel/open-kernel.ts";
import { openManaged, refusalOf, type Owner } from "../../support/webhooks/managing.ts";
import { useWebhookObjects } from "../../support/webhooks/objects.ts";

const objects = useWebhookObjects();

interface Posted {
  readonly headers: Headers;
  readonly body: string;
}

/** An endpoint with more deliveries than the test sees the end of, whose receiver takes its time for each. */
async function aBusyEndpoint(takesMs: number) {
  const managed = await openManaged(objects.database);
  const owner = await managed.owner();
  const made = await owner.createActive();
  const posted: Posted[] = [];
  objects.receivers[new URL(made.url).host] = async (request) => {
    posted.push(request);
    // Not all at once: between the end of all and the next beginning it would be at rest.
    await scheduler.wait(takesMs * (1 + (posted.length % 4) / 2));
    return new Response();
  };
  managed.hold = (id) => objects.objectOf(id).hold();
  managed.resume = (id) => objects.objectOf(id).resume();
  await someDeliveries(objects.db, String(made.id), 1_000);
  await objects.wake(String(made.id));
  await expect.poll(() => posted.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(4);
  return { managed, owner, made, posted };
}

const rotate = (owner: Owner, id: number) => owner.send("POST", `/api/v1/webhooks/${id}/rotate-secret`);

/** Asks once, and once more should the machine be so slow that nothing has ended. */
async function askTwice(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status === 200 ? answer : ask();
}

test("an endpoint that always has deliveries under way is given a new secret when it is asked for, and goes on with it", async () => {
  const { owner, made, posted } = await aBusyEndpoint(100);
  const rotated = await askTwice(() => rotate(owner, made.id));
  expect(rotated.status).toBe(200);
  const before = posted.length;
  await expect.poll(() => posted.length, { timeout: 5_000 }).toBeGreaterThan(before + 20);
  const { signing_secret: fresh } = rotated.body.data;
  for (const { headers, body } of posted.slice(before)) new Webhook(fresh).verify(body, Object.fromEntries(headers));
});

test("it can be moved to another URL as well", async () => {
  const { owner, made } = await aBusyEndpoint(100);
  const url = "https://elsewhere.example.com/in";
  const moved = await askTwice(() => owner.send("PATCH", `/api/v1/webhooks/${made.id}`, { url }));
  expect(moved.body.data).toMatchObject({ url, status: "pending_verification" });
});

test("without the pause that its object makes it would be refused again and again", async () => {
  const { managed, owner, made } = await aBusyEndpoint(100);
  managed.hold = async () => undefined;
  const statuses: number[] = [];
  for (let turn = 0; turn < 10; turn++) statuses.push((await rotate(owner, made.id)).status);
  expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(5);
});

test("one whose deliveries take long is refused once; no other begins, and asked again after they have ended it is done", async () => {
  const { owner, made, posted } = await aBusyEndpoint(2_000);
  expect(refusalOf(await rotate(owner, made.id))).toEqual({ status: 409, reason: "webhook_delivery_in_progress", param: "endpoint" });
  expect(posted).toHaveLength(4);
  await expect.poll(() => objects.statusesOf({ id: String(made.id) }), { timeout: 8_000 }).not.toContain("processing");
  expect((await rotate(owner, made.id)).status).toBe(200);
  await expect.poll(() => posted.length, { timeout: 5_000 }).toBe(8);
});

test("nobody else's endpoint is let go on by who does not have it", async () => {
  const managed = await openManaged(objects.database);
  const { id } = await (await managed.owner()).createActive();
  const told: string[] = [];
  managed.hold = managed.resume = async (endpointId) => void told.push(endpointId);
  const stranger = await managed.owner();
  expect((await stranger.send("PATCH", `/api/v1/webhooks/${id}`, { name: "mine" })).status).toBe(404);
  expect((await rotate(stranger, id)).status).toBe(404);
  expect(told).toEqual([]);
});
