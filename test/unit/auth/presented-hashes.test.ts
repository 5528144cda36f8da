import { createHmac } from "node:crypto";
import { expect, test, vi } from "vitest";
import { presentedHashes } from "../../../src/auth/authenticate.ts";
import { KnownCredentials } from "../../../src/auth/known-credentials.ts";
import type { Config } from "../../../src/config.ts";

const SECRETS = ["the current secret", "an earlier secret"];
const KEY = `svc_sk_live_${"a".repeat(64)}`;
const hmac = (secret: string) => createHmac("sha256", secret).update(KEY).digest("hex");

// The cast holds: only these fields are read.
const CONFIG = {
  keyPrefix: "svc",
  credentialKeys: { current: SECRETS[0], previous: SECRETS.slice(1) },
} as unknown as Config;

async function hashTwice(credentials: KnownCredentials) {
  const request = new Request("https://api.test/", { headers: { authorization: `Bearer ${KEY}` } });
  const sign = vi.spyOn(crypto.subtle, "sign");
  const present = () => presentedHashes(request, new URL(request.url), { config: CONFIG, credentials });
  const hashes = [await present(), await present()];
  const signed = sign.mock.calls.length;
  sign.mockRestore();
  return { hashes, signed };
}

test("a credential that the isolate has met is hashed once", async () => {
  const credentials = new KnownCredentials();
  credentials.add(hmac(SECRETS[0] ?? ""), { hash: "stored", accountId: 7 });
  const { hashes, signed } = await hashTwice(credentials);
  expect(hashes).toEqual([SECRETS.map(hmac), SECRETS.map(hmac)]);
  expect(signed).toBe(SECRETS.length);
});

test("the hashes of a credential that the isolate has not met are not remembered", async () => {
  const { hashes, signed } = await hashTwice(new KnownCredentials());
  expect(hashes).toEqual([SECRETS.map(hmac), SECRETS.map(hmac)]);
  expect(signed).toBe(2 * SECRETS.length);
});
