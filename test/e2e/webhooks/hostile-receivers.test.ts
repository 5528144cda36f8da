import { expect, test } from "vitest";
import { generateSigningSecret } from "../../../src/webhooks/rules/generate-secret.ts";
import { sealEndpointSecret } from "../../../src/lib/crypto/endpoint-secrets.ts";
import type { DnsResolution } from "../../../src/platform/http/dns-resolver.ts";
import { attemptDelivery } from "../../../src/webhooks/delivery/attempt-delivery.ts";
import { startBareWorkerd } from "../../support/webhooks/bare-workerd.ts";
import { startCanary, type Canary } from "../../support/webhooks/canary.ts";
import { HOSTILE_ADDRESSES, HOSTILE_URLS } from "../../support/webhooks/hostile-urls.ts";
import { randomBytes } from "../../support/random-bytes.ts";

const credentialKeys = { current: "a credential secret of 32 characters or more", previous: [] };
const secretSealed = await sealEndpointSecret(
  "signing secret",
  generateSigningSecret(randomBytes),
  { accountId: 7, credentialKeys },
  randomBytes,
);
const DELIVERY = {
  ...{ id: "1", eventId: "evt_1_1", eventType: "trader_synced", body: "{}", attemptCount: 0, lease: "lease" },
  ...{ dueAt: "2026-11-20T12:00:00Z", scheduleReason: null },
};

/**
 * One attempt to a URL whose name, if it has one, resolves to `resolution`. Every request goes to the canary.
 */
async function attempt(url: string, resolution: DnsResolution, canary: Canary): Promise<string> {
  const endpointState = { status: "active", failureCount: 0, openUntilMs: null } as const;
  const endpoint = {
    id: "1",
    accountId: 7,
    url,
    secretsSealed: [secretSealed],
    state: "active",
    plan: "pro",
    endpointState: endpointState,
  } as const;
  const result = await attemptDelivery(DELIVERY, endpoint, {
    policy: { resolver: { resolve: async () => resolution }, allowLoopback: false },
    fetch: (_url, init) => fetch(`http://127.0.0.1:${canary.port}/`, init as RequestInit),
    headerPrefix: "x-service",
    credentialKeys,
    now: Date.now,
  });
  return result.kind;
}

const PUBLIC: DnsResolution = { kind: "addresses", addresses: ["1.1.1.1"] };

test("nothing is posted to any hostile URL, even if every name in it resolved to a public address", async () => {
  const canary = await startCanary();
  const posted = [];
  for (const url of HOSTILE_URLS) if ((await attempt(url, PUBLIC, canary)) !== "address_refused") posted.push(url);
  expect(posted).toEqual([]);
  expect(canary.connections()).toBe(0);
  // The canary works and counts an allowed request.
  expect(await attempt("https://hooks.example.com/in", PUBLIC, canary)).toBe("accepted");
  expect(canary.connections()).toBe(1);
});

test("nothing is posted to a name that resolves to a hostile address, does not resolve or cannot be looked up", async () => {
  const canary = await startCanary();
  const posted = [];
  for (const address of HOSTILE_ADDRESSES) {
    const resolution: DnsResolution = { kind: "addresses", addresses: ["1.1.1.1", address] };
    if ((await attempt("https://hooks.example.com/in", resolution, canary)) !== "address_refused") posted.push(address);
  }
  expect(posted).toEqual([]);
  expect(await attempt("https://hooks.example.com/in", { kind: "not_resolved", reason: "" }, canary)).toBe(
    "name_not_resolved",
  );
  expect(await attempt("https://hooks.example.com/in", { kind: "unavailable", reason: "" }, canary)).toBe("postponed");
  expect(canary.connections()).toBe(0);
});

const POSTING = `import { postOutbound } from "./src/platform/http/outbound-post.ts";
  export default {
    fetch: async (request) =>
      request.method === "GET"
        ? new Response()
        : Response.json(await postOutbound({ url: await request.text(), headers: {}, body: "{}", timeoutMs: 5000 }, fetch)),
  };`;

/*
 * A name may change between our lookup and the connection. Then the runtime's network refuses it: by default
 * workerd only connects to public addresses, judged after its own lookup; local development allows private
 * ones. Here `localhost` plays the name that was public at our lookup, and our own check is left out.
 */
test.for([
  ["refuses a connection to a name that has changed to a private address", null, "connection_failed", false],
  ["would connect to it if private addresses were allowed", ["public", "private"], "accepted", true],
] as const)("the runtime's network %s", async ([, network, kind, isReached]) => {
  const canary = await startCanary();
  const worker = await startBareWorkerd(POSTING, network);
  for (const host of ["localhost", "127.0.0.1"]) {
    const response = await fetch(worker, { method: "POST", body: `http://${host}:${canary.port}/` });
    expect(await response.json()).toMatchObject({ kind });
  }
  // The number of connections depends on the runtime: a name may be tried over IPv4 and IPv6.
  expect(canary.connections() > 0).toBe(isReached);
});
