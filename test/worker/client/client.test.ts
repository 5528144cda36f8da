import { expect, test } from "vitest";
import { createClient, TraderNotTrackedError, verifyWebhook } from "../../../src/client/index.ts";
import { hashLeaf, merkleRoot } from "../../../src/client/proofs/merkle.ts";
import { openManifest } from "../../../src/client/proofs/open-manifest.ts";
import { toHex } from "../../../src/client/proofs/sha256.ts";
import { signDelivery } from "../../../src/webhooks/rules/sign-delivery.ts";
import { TEST_PUBLIC_KEY } from "../../support/archive/signing-key.ts";
import { aRefusal, aStream, scriptedClient } from "../../support/client/scripted-api.ts";

// The runtimes differ in fetch, streams and Web Crypto; test/unit/client has the behaviour.

test("in workerd the client calls by the runtime's own fetch, and a lost connection is repeated", async () => {
  // Nothing listens there; the third attempt is the last.
  const client = createClient({ baseUrl: "http://127.0.0.1:9", sleep: async () => {} });
  await expect(client.getHealth()).rejects.toMatchObject({ name: "ConnectionError" });
});

test("errors of the client have their classes in workerd", async () => {
  const { client } = scriptedClient([aRefusal(404, { code: "not_found", reason: "trader_not_tracked" })]);
  await expect(client.getTrader({ address: "trd_1" })).rejects.toBeInstanceOf(TraderNotTrackedError);
});

test("a stream is read across connections in workerd", async () => {
  const frame = (seq: number) => `id: ${seq}\ndata: {"seq":${seq},"type":"T"}\n\n`;
  const end = 'event: error\ndata: {"type":"error","error":{"code":"forbidden","message":"No."},"retry":false}\n\n';
  const { client, sent } = scriptedClient([aStream([frame(1)], "break"), aStream([frame(2), end])]);
  const ids: string[] = [];
  const read = async () => {
    for await (const { id } of client.getStream()) ids.push(id);
  };
  await expect(read()).rejects.toMatchObject({ name: "ForbiddenError" });
  expect(ids).toEqual(["1", "2"]);
  expect(sent[1]?.headers.get("last-event-id")).toBe("1");
});

test("in workerd webhooks and manifests are verified", async () => {
  const secret = `whsec_${"A".repeat(43)}`;
  const body = '{"id":"evt_1","type":"trader_synced"}';
  const headers = await signDelivery(
    { id: "evt_1", body, eventType: "trader_synced", deliveryId: "1", attempt: 1 },
    { secrets: [secret], headerPrefix: "x-service", nowMs: Date.now() },
  );
  expect(await verifyWebhook({ headers, body, secrets: secret })).toMatchObject({ id: "evt_1" });
  await expect(verifyWebhook({ headers, body: `${body} `, secrets: secret })).rejects.toMatchObject({
    problem: "wrong_signature",
  });
  // RFC 8032, section 7.1, test 1: the signature of the empty message.
  const signature =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" +
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
  const signed = { manifest: "", signature, public_key: TEST_PUBLIC_KEY };
  expect(await openManifest(signed, TEST_PUBLIC_KEY)).toEqual({});
  await expect(openManifest({ ...signed, manifest: "{}" }, TEST_PUBLIC_KEY)).rejects.toThrow("signature is wrong");
});

test("in workerd the Merkle root of no leaf is the hash of nothing", async () => {
  expect(toHex(await merkleRoot([]))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  // SHA-256 of one zero byte.
  expect(toHex(await hashLeaf(""))).toBe("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
});
