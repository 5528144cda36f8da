/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { consumeWebhooks } from "../../../queues/webhooks.ts";
import { webhookEndpoints } from "../../../src/db/schema.ts";
import type { Env } from "../../../src/env.ts";
import { anAccount, anEndpoint, someDeliveries } from "../../support/seed/webhooks.ts";
import { useWebhookObjects } from "../../support/webhooks/objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();

const GONE = () => new Response(null, { status: 410 });
const KEY = "3e7d0f64-6c0f-4b5e-9a0c-0d5d3a1c9f11";
const MAIL = {
  MAIL_ENDPOINT: "https://mail.example.test/emails",
  MAIL_TOKEN: "re_token",
  MAIL_FROM: "Service <service@example.test>",
};

/** What the queue was given for owners. */
const tellings = () => objects.sent.flatMap(({ message }) => (message.kind === "tell_owner" ? [message] : []));
const run = (id: string) => objects.drain(id);

const change = (id: string, facts: Partial<typeof webhookEndpoints.$inferInsert>) =>
  objects.db
    .update(webhookEndpoints)
    .set(facts)
    .where(eq(webhookEndpoints.id, Number(id)));

test("the owner of an endpoint that its receiver ends is told of it once, and again when it ends another time", async () => {
  const { id } = await objects.aReceiver(GONE);
  await someDeliveries(objects.db, id, 3);
  await run(id);
  expect(tellings()).toEqual([{ kind: "tell_owner", endpoint_id: id, mail_key: expect.any(String) }]);
  // Late messages, and a name of the owner's own.
  await run(id);
  await change(id, { name: "renamed", updatedAt: new Date() });
  await abortAllDurableObjects();
  await run(id);
  expect(tellings()).toHaveLength(1);
  await change(id, { status: "active", disabledReason: null, failureCount: 0 });
  await someDeliveries(objects.db, id, 1);
  await run(id);
  const [first, second, ...others] = tellings();
  expect(others).toEqual([]);
  expect(second).toMatchObject({ endpoint_id: id, mail_key: expect.not.stringMatching(first?.mail_key ?? "") });
});

test("an endpoint that delivers tells nobody", async () => {
  const { id } = await objects.aReceiver(() => new Response());
  await someDeliveries(objects.db, id, 3);
  await run(id);
  expect(tellings()).toEqual([]);
});

test("who was killed after the endpoint had been disabled, before or after the message was sent, tells with the same key", async () => {
  const { id } = await objects.aReceiver(GONE);
  await change(id, { status: "disabled", disabledReason: "failures" });
  await run(id);
  const [message] = tellings();
  // As it stands between the sending and the note of it.
  const note = { mailKey: message?.mail_key, isTold: false };
  await runInDurableObject(objects.objectOf(id), (_instance, state) => state.storage.put("disabling", note));
  await run(id);
  expect(tellings()).toEqual([message, message]);
  await run(id);
  expect(tellings()).toHaveLength(2);
});

test("while the queue takes nothing it is tried again", async () => {
  const { id } = await objects.aReceiver(GONE);
  await change(id, { status: "disabled", disabledReason: "gone" });
  objects.onSend = () => {
    throw new Error("the queue is away");
  };
  const again = (await run(id)) ?? Infinity;
  expect(again - Date.now()).toBeLessThan(6_000);
  expect(tellings()).toEqual([]);
  objects.onSend = () => undefined;
  await run(id);
  expect(tellings()).toHaveLength(1);
});

/** Hands the message to the consumer, whose mail service answers like this. @returns what it was posted, and what became of the message */
async function tell(id: string, status = 200, settings: object = MAIL) {
  const mails: { to: unknown; subject: string; text: string; key: string | null }[] = [];
  objects.receivers["mail.example.test"] = ({ headers, body }) => {
    mails.push({ ...JSON.parse(body), key: headers.get("idempotency-key") });
    return new Response(null, { status });
  };
  const ends: unknown[] = [];
  const body = { kind: "tell_owner", endpoint_id: id, mail_key: KEY };
  const message = { id: "1", body, attempts: 2, ack: () => ends.push("ack"), retry: (options: unknown) => ends.push(options) };
  const environment = { ...bindings, DATABASE_URL: objects.database.databaseUrl, ...settings };
  await consumeWebhooks({ queue: "webhooks", messages: [message] } as unknown as MessageBatch, environment);
  return { mails, ends };
}

let named = 0;
const aDisabled = async (facts: Partial<typeof webhookEndpoints.$inferInsert> = {}) => {
  const accountId = await anAccount(objects.db, { email: `ann-${++named}@example.test` });
  const url = "https://hooks.example.com/in?token=secret";
  return anEndpoint(objects.db, { accountId, url, name: "Bot\nof Ann", status: "disabled", disabledReason: "failures", ...facts });
};

test.for([
  ["failures", "its last 8 attempts failed"],
  ["gone", "its receiver answered 410 Gone"],
])("a mail says which endpoint was disabled, why (%s) and how to go on, and nothing of its URL's secrets", async ([reason, cause]) => {
  const { id } = await aDisabled({ disabledReason: reason ?? "" });
  const { mails, ends } = await tell(id);
  expect(mails).toMatchObject([{ to: [`ann-${named}@example.test`], key: KEY }]);
  expect(mails[0]?.subject).toMatch(/^[^\n]+ has disabled a webhook endpoint$/);
  expect(mails[0]?.text).toContain(`Webhook endpoint ${id} ("Bot\\nof Ann", hooks.example.com) is disabled: ${cause}.`);
  expect(mails[0]?.text).toContain(`PATCH http://api.test/api/v1/webhooks/${id} with {"enabled": true}`);
  expect(JSON.stringify(mails)).not.toContain("secret");
  expect(ends).toEqual(["ack"]);
});

test("a mail service that is away is tried again after minutes", async () => {
  const { id } = await aDisabled();
  expect((await tell(id, 503)).ends).toEqual([{ delaySeconds: 120 }]);
});

test("nobody is told of an endpoint that goes on by now, that the owner has disabled or deleted, or whose account is gone", async () => {
  const endpoints = [
    await aDisabled({ status: "active", disabledReason: null }),
    await aDisabled({ disabledReason: "owner" }),
    await aDisabled({ deletedAt: new Date() }),
    await aDisabled({ accountId: await anAccount(objects.db, { state: "deleted" }) }),
  ].map(({ id }) => id);
  for (const id of endpoints) expect(await tell(id)).toEqual({ mails: [], ends: ["ack"] });
});

test("without a mail service the message is over", async () => {
  const { id } = await aDisabled();
  expect(await tell(id, 200, {})).toEqual({ mails: [], ends: ["ack"] });
});
