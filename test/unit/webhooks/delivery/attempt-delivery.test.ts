import { afterEach, expect, test, vi } from "vitest";
import { generateSigningSecret } from "../../../../src/webhooks/rules/generate-secret.ts";
import { sealEndpointSecret } from "../../../../src/lib/crypto/endpoint-secrets.ts";
import { attemptDelivery } from "../../../../src/webhooks/delivery/attempt-delivery.ts";
import { randomBytes } from "../../../support/random-bytes.ts";

const owner = {
  accountId: 7,
  credentialKeys: { current: "a credential secret of 32 characters or more", previous: [] },
};
afterEach(() => {
  vi.useRealTimers();
});

test("a receiver has 15 seconds to respond", async () => {
  const sealed = await sealEndpointSecret("signing secret", generateSigningSecret(randomBytes), owner, randomBytes);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const posted = Promise.withResolvers<void>();
  const hang: typeof fetch = (_url, init) => {
    posted.resolve();
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true }),
    );
  };
  let ended = "";
  const attempt = attemptDelivery(
    {
      ...{ id: "1", eventId: "evt_1_1", eventType: "trader_synced", body: "{}", attemptCount: 0, lease: "lease" },
      ...{ dueAt: "2026-11-20T12:00:00Z", scheduleReason: null },
    },
    {
      ...{
        id: "1",
        accountId: owner.accountId,
        url: "https://hooks.example.com/in",
        secretsSealed: [sealed],
        state: "active",
        plan: "pro",
      },
      endpointState: { status: "active", failureCount: 0, openUntilMs: null },
    },
    {
      policy: {
        resolver: { resolve: async () => ({ kind: "addresses", addresses: ["1.1.1.1"] }) },
        allowLoopback: false,
      },
      ...{ fetch: hang, headerPrefix: "x-service", credentialKeys: owner.credentialKeys, now: () => 0 },
    },
  ).then(({ kind }) => (ended = kind));
  await posted.promise;
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ended).toBe("");
  await vi.advanceTimersByTimeAsync(1);
  await attempt;
  expect(ended).toBe("timeout");
});
