import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { Env } from "../../../src/env.ts";
import { someDeliveries } from "../../support/seed/webhooks.ts";
import { openWebhookApi } from "../../support/webhooks/webhook-api.ts";
import { useWebhookObjects } from "../../support/webhooks/webhook-objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();

/** Owners whose messages pass through the real queue, over the test's database. */
async function openQueued() {
  const managed = await openWebhookApi(objects.database);
  managed.enqueue = async (message) => {
    if (message.kind === "verify_receiver") await objects.adoptVerifier(message.attempt_id, bindings.WEBHOOKS_QUEUE);
    await bindings.WEBHOOKS_QUEUE.send(message);
  };
  return managed;
}

test("an endpoint is verified through the queue by a second challenge after the first was refused", async () => {
  const owner = await (await openQueued()).owner();
  const endpoint = await owner.create();
  const challenges: unknown[] = [];
  objects.receivers[new URL(endpoint.url).host] = ({ headers, body }) => {
    new Webhook(endpoint.signing_secret).verify(body, Object.fromEntries(headers));
    challenges.push([headers.get("x-service-verification-attempt"), JSON.parse(body)]);
    return new Response(null, { status: challenges.length === 1 ? 503 : 200 });
  };
  const path = `/api/v1/webhooks/${endpoint.id}/verification-attempts`;
  const begun = await owner.send("POST", path, { verification_token: endpoint.verification.token });
  expect(begun.status).toBe(202);
  const read = async () => (await owner.get(begun.body.data.status_url)).body.data;
  await expect
    .poll(read, { timeout: 5_000 })
    .toMatchObject({ state: "queued", attempt_count: 1, last_response_status: 503 });
  expect((await owner.get(`/api/v1/webhooks/${endpoint.id}`)).body.data.status).toBe("pending_verification");
  // The message with the second challenge is delayed by five seconds.
  await expect
    .poll(read, { timeout: 10_000 })
    .toMatchObject({ state: "verified", outcome: "verified", attempt_count: 2 });
  expect((await owner.get(`/api/v1/webhooks/${endpoint.id}`)).body.data.status).toBe("active");
  const body = { type: "webhook.verification", token: endpoint.verification.token, webhook_id: endpoint.id };
  expect(challenges).toEqual([
    ["1", body],
    ["2", body],
  ]);
});

test("a receiver that hangs at its challenge does not delay messages of other endpoints", async () => {
  const owner = await (await openQueued()).owner();
  const stuck = await owner.create();
  let challenged = 0;
  const hanging = Promise.withResolvers<Response>();
  objects.receivers[new URL(stuck.url).host] = () => (challenged++, hanging.promise);
  await owner.send("POST", `/api/v1/webhooks/${stuck.id}/verification-attempts`, {
    verification_token: stuck.verification.token,
  });
  await expect.poll(() => challenged, { timeout: 5_000 }).toBe(1);
  const other = await objects.aReceiver(() => new Response());
  await objects.adopt(other.id);
  await someDeliveries(objects.db, other.id, 1);
  await bindings.WEBHOOKS_QUEUE.send({ kind: "wake_endpoint", endpoint_id: other.id });
  // Well before the ten second timeout of the other challenge.
  await expect.poll(() => objects.statusesOf(other), { timeout: 5_000 }).toEqual(["delivered"]);
  hanging.resolve(new Response());
  await expect
    .poll(async () => (await owner.get(`/api/v1/webhooks/${stuck.id}`)).body.data.status, { timeout: 5_000 })
    .toBe("active");
});
