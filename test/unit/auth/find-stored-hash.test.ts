import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { findStoredHash, hashesOf } from "../../../src/auth/api-key-format.ts";
import { findRecord } from "../../../src/auth/authenticate.ts";
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

const RECORD = JSON.stringify({
  ...{ kind: "key", credential_kind: "api_key", key_id: 1, account_id: 2, scopes: ["read"], resource: "api" },
  ...{ expires_ms: null, revoked: false, plan: "pro", state: "active", pay_as_you_go: false },
});
const UNKNOWN = JSON.stringify({ kind: "unknown" });

test.each([
  ["none is stored", [null, null], null],
  ["Redis is unavailable", [], null],
  ["the earlier hash has a record", [null, RECORD], "key"],
  ["the current hash was looked for before", [UNKNOWN, RECORD], "key"],
  ["the earlier hash is refused", [null, UNKNOWN], "unknown"],
  ["a text is no record", ["{}", UNKNOWN], "unknown"],
])("the record of a credential when %s", (_, stored, kind) => {
  expect(findRecord(stored)?.kind ?? null).toBe(kind);
});

test("an access token from before a rotation is revoked under its own hash", async () => {
  const token = `svc_at_${"0".repeat(64)}`;
  const stored = hmac("an earlier secret", token);
  const changes: string[] = [];
  const context = {
    config: { keyPrefix: "svc", credentialKeys: RING, apiBaseUrl: "http://api.test" },
    cache: { set: async (key: string) => void changes.push(key) },
    store: {
      findAccessOwner: async (hash: string) => (hash === stored ? { grantId: 1, clientId: "client" } : null),
      revokeAccess: async (hash: string) => void changes.push(hash),
    },
    now: new Date(0),
  } as unknown as FlowContext;
  await revokeToken(token, "client", context);
  expect(changes).toEqual([`cred:${stored}`, stored]);
});
