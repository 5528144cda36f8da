/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { consumeWebhooks } from "../../../queues/consume-webhooks.ts";
import { webhookEndpoints } from "../../../src/db/schema.ts";
import type { Env } from "../../../src/env.ts";
import { anAccount, anEndpoint, someDeliveries } from "../../support/seed/webhooks.ts";
import { useWebhookObjects } from "../../support/webhooks/webhook-objects.ts";

const bindings = env as Env;
const objects = useWebhookObjects();

const GONE = () => new Response(null, { status: 410 });
const KEY = "3e7d0f64-6c0f-4b5e-9a0c-0d5d3a1c9f11";
const MAIL = {
  MAIL_ENDPOINT: "https://mail.example.test/emails",
  MAIL_TOKEN: "re_token",
  MAIL_FROM: "Service <service@example.test>",
};

/** The messages to owners that were enqueued. */
const ownerNotices = () => objects.sent.flatMap(({ message }) => (message.kind === "tell_owner" ? [message] : []));
const run = (id: string) => objects.drain(id);

const change = (id: string, facts: Partial<typeof webhookEndpoints.$inferInsert>) =>
  objects.db
    .update(webhookEndpoints)
    .set(facts)
    .where(eq(webhookEndpoints.id, Number(id)));

test("an endpoint that its receiver ends enqueues one notice to its owner, and another when it ends again", async () => {
  const { id } = await objects.aReceiver(GONE);
  await someDeliveries(objects.db, id, 3);
  await run(id);
  expect(ownerNotices()).toEqual([{ kind: "tell_owner", endpoint_id: id, mail_key: expect.any(String) }]);
  // Late wake messages and a rename by the owner enqueue nothing.
  await run(id);
  await change(id, { name: "renamed", updatedAt: new Date() });
  await abortAllDurableObjects();
  await run(id);
  expect(ownerNotices()).toHaveLength(1);
  await change(id, { status: "active", disabledReason: null, failureCount: 0 });
  await someDeliveries(objects.db, id, 1);
  await run(id);
  const [first, second, ...others] = ownerNotices();
  expect(others).toEqual([]);
  expect(second).toMatchObject({ endpoint_id: id, mail_key: expect.not.stringMatching(first?.mail_key ?? "") });
});

test("an endpoint that delivers enqueues no notice", async () => {
  const { id } = await objects.aReceiver(() => new Response());
  await someDeliveries(objects.db, id, 3);
  await run(id);
  expect(ownerNotices()).toEqual([]);
});

test("a notice is repeated with the same key after a process is killed before or after the send", async () => {
  const { id } = await objects.aReceiver(GONE);
  await change(id, { status: "disabled", disabledReason: "failures" });
  await run(id);
  const [message] = ownerNotices();
  // The stored state between the send and the note that it was sent.
  const note = { mailKey: message?.mail_key, isTold: false };
  await runInDurableObject(objects.objectOf(id), (_instance, state) => state.storage.put("disabling", note));
  await run(id);
  expect(ownerNotices()).toEqual([message, message]);
  await run(id);
  expect(ownerNotices()).toHaveLength(2);
});

test("a notice is retried while the queue is unavailable", async () => {
  const { id } = await objects.aReceiver(GONE);
  await change(id, { status: "disabled", disabledReason: "gone" });
  objects.onSend = () => {
    throw new Error("the queue is unavailable");
  };
  const retryAt = (await run(id)) ?? Infinity;
  expect(retryAt - Date.now()).toBeLessThan(6_000);
  expect(ownerNotices()).toEqual([]);
  objects.onSend = () => undefined;
  await run(id);
  expect(ownerNotices()).toHaveLength(1);
});

/**
 * Runs the consumer with a mail service that responds with this status.
 *
 * @returns the mails and the message's end
 */
async function consumeNotice(id: string, status = 200, settings: object = MAIL) {
  const mails: { to: unknown; subject: string; text: string; key: string | null }[] = [];
  objects.receivers["mail.example.test"] = ({ headers, body }) => {
    mails.push({ ...JSON.parse(body), key: headers.get("idempotency-key") });
    return new Response(null, { status });
  };
  const ends: unknown[] = [];
  const body = { kind: "tell_owner", endpoint_id: id, mail_key: KEY };
  const message = {
    id: "1",
    body,
    attempts: 2,
    ack: () => ends.push("ack"),
    retry: (options: unknown) => ends.push(options),
  };
  const environment = { ...bindings, DATABASE_URL: objects.database.databaseUrl, ...settings };
  await consumeWebhooks({ queue: "webhooks", messages: [message] } as unknown as MessageBatch, environment);
  return { mails, ends };
}

let named = 0;
const aDisabled = async (facts: Partial<typeof webhookEndpoints.$inferInsert> = {}) => {
  const accountId = await anAccount(objects.db, { email: `ann-${++named}@example.test` });
  const url = "https://hooks.example.com/in?token=secret";
  return anEndpoint(objects.db, {
    accountId,
    url,
    name: "Bot\nof Ann",
    status: "disabled",
    disabledReason: "failures",
    ...facts,
  });
};

test.for([
  ["failures", "its last 8 attempts failed"],
  ["gone", "its receiver responded with 410 Gone"],
])(
  "a mail names the disabled endpoint, the cause (%s) and the way to re-enable it, without secrets of its URL",
  async ([reason, cause]) => {
    const { id } = await aDisabled({ disabledReason: reason ?? "" });
    const { mails, ends } = await consumeNotice(id);
    expect(mails).toMatchObject([{ to: [`ann-${named}@example.test`], key: KEY }]);
    expect(mails[0]?.subject).toMatch(/^[^\n]+ has disabled a webhook endpoint$/);
    expect(mails[0]?.text).toContain(
      `Webhook endpoint ${id} ("Bot\\nof Ann", hooks.example.com) is disabled: ${cause}.`,
    );
    expect(mails[0]?.text).toContain(`PATCH http://api.test/api/v1/webhooks/${id} with {"enabled": true}`);
    expect(JSON.stringify(mails)).not.toContain("secret");
    expect(ends).toEqual(["ack"]);
  },
);

test("a notice is retried after minutes when the mail service is unavailable", async () => {
  const { id } = await aDisabled();
  expect((await consumeNotice(id, 503)).ends).toEqual([{ delaySeconds: 120 }]);
});

test("no mail is sent for an endpoint that is active again, disabled or deleted by its owner, or of a deleted account", async () => {
  const endpoints = [
    await aDisabled({ status: "active", disabledReason: null }),
    await aDisabled({ disabledReason: "owner" }),
    await aDisabled({ deletedAt: new Date() }),
    await aDisabled({ accountId: await anAccount(objects.db, { state: "deleted" }) }),
  ].map(({ id }) => id);
  for (const id of endpoints) expect(await consumeNotice(id)).toEqual({ mails: [], ends: ["ack"] });
});

test("a notice without a mail service is acknowledged", async () => {
  const { id } = await aDisabled();
  expect(await consumeNotice(id, 200, {})).toEqual({ mails: [], ends: ["ack"] });
});
