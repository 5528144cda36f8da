import { afterEach, expect, test, vi } from "vitest";
import { generateSigningSecret } from "../../../../src/webhooks/rules/generate-secret.ts";
import { sealEndpointSecret } from "../../../../src/lib/crypto/endpoint-secrets.ts";
import { attemptDelivery, type AttemptSettings } from "../../../../src/webhooks/delivery/attempt-delivery.ts";
import type { ClaimedEndpoint } from "../../../../src/webhooks/delivery/claim-deliveries.ts";
import { randomBytes } from "../../../support/random-bytes.ts";

const owner = {
  accountId: 7,
  credentialKeys: { current: "a credential secret of 32 characters or more", previous: [] },
};
afterEach(() => {
  vi.useRealTimers();
});

const DELIVERY = {
  ...{ id: "1", eventId: "evt_1_1", eventType: "trader_synced", body: "{}", attemptCount: 0, lease: "lease" },
  ...{ dueAt: "2026-11-20T12:00:00Z", scheduleReason: null },
};

async function claimedEndpoint(url: string): Promise<ClaimedEndpoint> {
  const sealed = await sealEndpointSecret("signing secret", generateSigningSecret(randomBytes), owner, randomBytes);
  return {
    ...{ id: "1", accountId: owner.accountId, url, secretsSealed: [sealed], state: "active", plan: "pro" },
    endpointState: { status: "active", failureCount: 0, openUntilMs: null },
  };
}

/** @param resolve the addresses of any host */
const settingsWith = (fetcher: typeof fetch, resolve: () => string[] = () => ["1.1.1.1"]): AttemptSettings => ({
  policy: { resolver: { resolve: async () => ({ kind: "addresses", addresses: resolve() }) }, allowLoopback: false },
  ...{ fetch: fetcher, headerPrefix: "x-service", credentialKeys: owner.credentialKeys, now: () => 0 },
});

test("a receiver has 15 seconds to respond", async () => {
  const endpoint = await claimedEndpoint("https://hooks.example.com/in");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const posted = Promise.withResolvers<void>();
  const hang: typeof fetch = (_url, init) => {
    posted.resolve();
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true }),
    );
  };
  let ended = "";
  const attempt = attemptDelivery(DELIVERY, endpoint, settingsWith(hang)).then(({ kind }) => (ended = kind));
  await posted.promise;
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ended).toBe("");
  await vi.advanceTimersByTimeAsync(1);
  await attempt;
  expect(ended).toBe("timeout");
});

test("the addresses of the host are resolved for each attempt of a claim", async () => {
  const endpoint = await claimedEndpoint("https://hooks.example.com/in");
  const addresses = ["1.1.1.1", "1.1.1.1", "10.0.0.1"];
  let posted = 0;
  const settings = settingsWith(
    async () => (posted++, new Response(null, { status: 204 })),
    () => [addresses.shift() ?? ""],
  );
  const results = [];
  for (let attempt = 0; attempt < 3; attempt++) results.push(await attemptDelivery(DELIVERY, endpoint, settings));
  expect(results.map(({ kind }) => kind)).toEqual(["accepted", "accepted", "address_refused"]);
  expect(posted).toBe(2);
});

test("nothing is posted to a stored URL that the policy refuses", async () => {
  const endpoint = await claimedEndpoint("https://127.0.0.1/in");
  let posted = 0;
  const settings = settingsWith(async () => (posted++, new Response()));
  expect(await attemptDelivery(DELIVERY, endpoint, settings)).toEqual({ kind: "address_refused" });
  expect(posted).toBe(0);
});
