import { expect, test } from "vitest";
import { endCopiedGrant } from "../../../src/oauth/flows/end-grant.ts";
import { MemoryStore } from "../../support/oauth/memory-store.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

/** A store with one grant that has one access token and no refresh token. */
async function storeWithGrant(): Promise<MemoryStore> {
  const store = new MemoryStore(async () => undefined);
  store.codes.set("code", {
    accountId: 1,
    clientId: "client-1",
    clientGrantTypes: ["authorization_code"],
    redirectUri: "https://app.example.com/callback",
    codeChallenge: "challenge",
    scopes: ["read"],
    resource: "api",
    expiresMs: NOW.getTime() + 60_000,
    grantId: null,
  });
  const expiresAt = new Date(NOW.getTime() + 60_000);
  const access = { hash: "access", scopes: ["read"], resource: "api", expiresAt } as const;
  await store.redeemCode("code", { access, refresh: null });
  return store;
}

test("a copied grant ends without the meter, and the log names it for an operator", async () => {
  const store = await storeWithGrant();
  const logged: unknown[] = [];
  await endCopiedGrant(1, "code_reuse", {
    store,
    meter: { refuse: () => Promise.reject(new Error("the meter is away")) },
    log: { error: (message, fields) => logged.push([message, fields]) },
    now: NOW,
  });
  expect(store.grants.get(1)?.revokedMs).toBe(NOW.getTime());
  const event = ["oauth.refuse_failed", { grant_id: 1, ended_by: "code_reuse", error: "Error: the meter is away" }];
  expect(logged).toEqual([event, event]);
});

test("a copied grant leaves a refusal for each of its tokens and no log line", async () => {
  const store = await storeWithGrant();
  const refused = new Set<string>();
  const logged: unknown[] = [];
  await endCopiedGrant(1, "refresh_reuse", {
    store,
    meter: { refuse: async (account, hashes) => void refused.add(`${account} ${hashes.join()}`) },
    log: { error: (message) => logged.push(message) },
    now: NOW,
  });
  expect([[...refused], logged]).toEqual([["1 access"], []]);
});
