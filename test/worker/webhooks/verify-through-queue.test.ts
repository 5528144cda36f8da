import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { expect, test, onTestFinished } from "vitest";
import type { Env } from "../../../src/env.ts";
import { openManaged } from "../../support/webhooks/managing.ts";
import { useWebhookObjects } from "../../support/webhooks/objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();

test("an endpoint is verified by way of the queue: asked for, challenged, refused once, challenged again, and active", async () => {
  const managed = await openManaged(objects.database);
  // The consumer gets the bindings of the Worker, which has one database for all tests.
  const shared: unknown = Reflect.get(bindings, "DATABASE_URL");
  Reflect.set(bindings, "DATABASE_URL", objects.database.databaseUrl);
  onTestFinished(() => void Reflect.set(bindings, "DATABASE_URL", shared));
  managed.tell = async (message) => void (await bindings.WEBHOOKS_QUEUE.send(message));
  const owner = await managed.owner();
  const made = await owner.create();
  const challenges: unknown[] = [];
  objects.receivers[new URL(made.url).host] = ({ headers, body }) => {
    new Webhook(made.signing_secret).verify(body, Object.fromEntries(headers));
    challenges.push([headers.get("x-service-verification-attempt"), JSON.parse(body)]);
    return new Response(null, { status: challenges.length === 1 ? 503 : 200 });
  };
  const path = `/api/v1/webhooks/${made.id}/verification-attempts`;
  const begun = await owner.send("POST", path, { verification_token: made.verification.token });
  expect(begun.status).toBe(202);
  const read = async () => (await owner.get(begun.body.data.status_url)).body.data;
  await expect.poll(read, { timeout: 5_000 }).toMatchObject({ state: "queued", attempt_count: 1, last_response_status: 503 });
  expect((await owner.get(`/api/v1/webhooks/${made.id}`)).body.data.status).toBe("pending_verification");
  // The message with the second challenge is delayed for five seconds.
  await expect.poll(read, { timeout: 10_000 }).toMatchObject({ state: "verified", outcome: "verified", attempt_count: 2 });
  expect((await owner.get(`/api/v1/webhooks/${made.id}`)).body.data.status).toBe("active");
  const body = { type: "webhook.verification", token: made.verification.token, webhook_id: made.id };
  expect(challenges).toEqual([
    ["1", body],
    ["2", body],
  ]);
});
