import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { findStoredHash, hashesOf } from "../../../src/auth/api-key-format.ts";
import { revokeToken } from "../../../src/oauth/flows/revoke-token.ts";
import type { FlowContext } from "../../../src/oauth/flows/issue-tokens.ts";

const RING = { current: "the current secret", previous: ["an earlier secret", "the first secret"] };
const SECRETS = [RING.current, ...RING.previous];
const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

test("a credential has one hash for each secret, that of the current one first", async () => {
  expect(await hashesOf(RING, "svc_sk_live_1")).toEqual(SECRETS.map((secret) => hmac(secret, "svc_sk_live_1")));
});

test("the hash under which a credential is stored is found, and nothing is asked without earlier secrets", async () => {
  const asked: string[] = [];
  const find = (stored: string) => async (hash: string) => {
    asked.push(hash);
    return hash === stored ? {} : null;
  };
  expect(await findStoredHash(["a", "b", "c"], find("b"))).toBe("b");
  expect(asked.splice(0)).toEqual(["a", "b"]);
  expect(await findStoredHash(["a", "b"], find("none"))).toBe("a");
  expect(asked.splice(0)).toEqual(["a", "b"]);
  expect(await findStoredHash(["a"], find("none"))).toBe("a");
  expect(asked).toEqual([]);
});

test("an access token from before a rotation is revoked under its own hash", async () => {
  const token = `svc_at_${"0".repeat(64)}`;
  const stored = hmac("an earlier secret", token);
  const changes: string[] = [];
  const context = {
    config: { keyPrefix: "svc", credentialKeys: RING, apiBaseUrl: "http://api.test" },
    meter: { refuse: async (account: number, hashes: string[]) => void changes.push(`${account} ${hashes.join()}`) },
    store: {
      findAccessOwner: async (hash: string) =>
        hash === stored ? { grantId: 1, accountId: 7, clientId: "client" } : null,
      revokeAccess: async (hash: string) => void changes.push(hash),
    },
    now: new Date(0),
  } as unknown as FlowContext;
  await revokeToken(token, "client", context);
  expect(changes).toEqual([`7 ${stored}`, stored]);
});
