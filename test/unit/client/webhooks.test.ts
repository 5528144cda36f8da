import { expect, test } from "vitest";
import { verifyWebhook } from "../../../src/client/index.ts";
import { signDelivery } from "../../../src/webhooks/rules/sign-delivery.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const [OLD, NEW] = [`whsec_${"A".repeat(43)}`, `whsec_${"B".repeat(43)}`];
const EVENT = { id: "evt_1_2", type: "trader_synced", created_at: "2026-11-20T12:00:00Z", data: { trader_id: 1 } };
const BODY = JSON.stringify({ ...EVENT, note: "ü" });

const sign = (secrets: readonly string[], nowMs = NOW, headerPrefix = "x-service") =>
  signDelivery(
    { id: EVENT.id, body: BODY, eventType: EVENT.type, deliveryId: "1", attempt: 1 },
    { secrets, headerPrefix, nowMs },
  );

test("the signature of an independent calculation is accepted", async () => {
  // printf '1795176000.{"id":"evt_1","type":"t"}' | openssl dgst -sha256 -hmac whsec_test
  const headers = {
    "X-Service-Timestamp": "1795176000",
    "X-Service-Signature": "v1=598d5e8093cdc77ad27c4462c49b5a38da51a25cb4b50c05a51a56b9afa82921",
  };
  const body = '{"id":"evt_1","type":"t"}';
  expect(await verifyWebhook({ headers, body, secrets: "whsec_test", nowMs: 1_795_176_000_000 })).toEqual({
    id: "evt_1",
    type: "t",
  });
});

test("a delivery of the product is accepted, as text and as bytes, from Headers and from Node's headers", async () => {
  const headers = await sign([NEW]);
  const bytes = new TextEncoder().encode(BODY);
  for (const delivery of [
    { headers: new Headers(headers), body: BODY },
    { headers, body: bytes },
  ])
    expect(await verifyWebhook({ ...delivery, secrets: NEW, nowMs: NOW })).toMatchObject(EVENT);
});

test("a delivery during a rotation is accepted by either secret", async () => {
  const headers = await sign([NEW, OLD]);
  for (const secrets of [OLD, NEW, [OLD, NEW]])
    expect(await verifyWebhook({ headers, body: BODY, secrets, nowMs: NOW })).toMatchObject(EVENT);
});

test("a delivery may be five minutes off in both directions, and not a second more", async () => {
  const headers = await sign([NEW]);
  const at = (nowMs: number) => verifyWebhook({ headers, body: BODY, secrets: NEW, nowMs });
  for (const seconds of [300, -300]) expect(await at(NOW + seconds * 1000)).toMatchObject(EVENT);
  for (const seconds of [301, -301]) await expect(at(NOW + seconds * 1000)).rejects.toMatchObject({ problem: "stale" });
});

test.each([
  ["another secret", {}, { secrets: OLD }, "wrong_signature"],
  ["another body", {}, { body: `${BODY} ` }, "wrong_signature"],
  ["another timestamp", { "x-service-timestamp": String(NOW / 1000 + 1) }, {}, "wrong_signature"],
  ["no signature", { "x-service-signature": undefined }, {}, "missing_header"],
  ["a signature of another scheme", { "x-service-signature": "v0=00" }, {}, "wrong_signature"],
  ["a timestamp with a fraction", { "x-service-timestamp": "1.5" }, {}, "invalid_timestamp"],
  ["headers of another prefix", {}, { headerPrefix: "x-other" }, "missing_header"],
] as const)("a delivery with %s is refused", async (_, headers, delivery, problem) => {
  const signed = { ...(await sign([NEW])), ...headers };
  await expect(
    verifyWebhook({ headers: signed, body: BODY, secrets: NEW, nowMs: NOW, ...delivery }),
  ).rejects.toMatchObject({ name: "WebhookVerificationError", problem });
});
