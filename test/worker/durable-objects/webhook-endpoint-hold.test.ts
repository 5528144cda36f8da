import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { someDeliveries } from "../../support/seed/webhooks.ts";
import type { KernelResponse } from "../../support/kernel/open-kernel.ts";
import { openWebhookApi, webhookErrorOf, type Owner } from "../../support/webhooks/webhook-api.ts";
import { useWebhookObjects } from "../../support/webhooks/webhook-objects.ts";

const objects = useWebhookObjects();

interface PostedRequest {
  readonly headers: Headers;
  readonly body: string;
}

/**
 * An endpoint with more deliveries than the test can finish, with a receiver that takes this long for each.
 */
async function aBusyEndpoint(takesMs: number) {
  const managed = await openWebhookApi(objects.database);
  const owner = await managed.owner();
  const endpoint = await owner.createActive();
  const posted: PostedRequest[] = [];
  objects.receivers[new URL(endpoint.url).host] = async (request) => {
    posted.push(request);
    // Responses are spread out: if all ended together, the endpoint would be idle between two rounds.
    await scheduler.wait(takesMs * (1 + (posted.length % 4) / 2));
    return new Response();
  };
  managed.hold = (id) => objects.objectOf(id).hold();
  managed.resume = (id) => objects.objectOf(id).resume();
  await someDeliveries(objects.db, String(endpoint.id), 1_000);
  await objects.wake(String(endpoint.id));
  await expect.poll(() => posted.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(4);
  return { managed, owner, endpoint, posted };
}

const rotate = (owner: Owner, id: number) => owner.send("POST", `/api/v1/webhooks/${id}/rotate-secret`);

/** Sends a request, and once more if a slow machine has let no delivery end. */
async function sendTwice(send: () => Promise<KernelResponse>): Promise<KernelResponse> {
  const response = await send();
  return response.status === 200 ? response : send();
}

test("an always busy endpoint can rotate its secret and continues to deliver with the new one", async () => {
  const { owner, endpoint, posted } = await aBusyEndpoint(100);
  const rotated = await sendTwice(() => rotate(owner, endpoint.id));
  expect(rotated.status).toBe(200);
  const before = posted.length;
  await expect.poll(() => posted.length, { timeout: 5_000 }).toBeGreaterThan(before + 20);
  const { signing_secret: newSecret } = rotated.body.data;
  for (const { headers, body } of posted.slice(before))
    new Webhook(newSecret).verify(body, Object.fromEntries(headers));
});

test("an always busy endpoint can move to another URL", async () => {
  const { owner, endpoint } = await aBusyEndpoint(100);
  const url = "https://elsewhere.example.com/in";
  const moved = await sendTwice(() => owner.send("PATCH", `/api/v1/webhooks/${endpoint.id}`, { url }));
  expect(moved.body.data).toMatchObject({ url, status: "pending_verification" });
});

test("a rotation of a busy endpoint is refused repeatedly without the object's hold", async () => {
  const { managed, owner, endpoint } = await aBusyEndpoint(100);
  managed.hold = async () => undefined;
  const statuses: number[] = [];
  for (let turn = 0; turn < 10; turn++) statuses.push((await rotate(owner, endpoint.id)).status);
  expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(5);
});

test("a rotation during slow deliveries returns 409, starts no new ones and succeeds after they end", async () => {
  const { owner, endpoint, posted } = await aBusyEndpoint(2_000);
  expect(webhookErrorOf(await rotate(owner, endpoint.id))).toEqual({
    status: 409,
    reason: "webhook_delivery_in_progress",
    param: "endpoint",
  });
  expect(posted).toHaveLength(4);
  await expect
    .poll(() => objects.statusesOf({ id: String(endpoint.id) }), { timeout: 8_000 })
    .not.toContain("processing");
  expect((await rotate(owner, endpoint.id)).status).toBe(200);
  await expect.poll(() => posted.length, { timeout: 5_000 }).toBe(8);
});

test("a request by another account does not hold or resume an endpoint", async () => {
  const managed = await openWebhookApi(objects.database);
  const { id } = await (await managed.owner()).createActive();
  const notified: string[] = [];
  managed.hold = managed.resume = async (endpointId) => void notified.push(endpointId);
  const stranger = await managed.owner();
  expect((await stranger.send("PATCH", `/api/v1/webhooks/${id}`, { name: "mine" })).status).toBe(404);
  expect((await rotate(stranger, id)).status).toBe(404);
  expect(notified).toEqual([]);
});
