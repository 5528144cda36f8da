import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { parseCredentialRecord, recordKey } from "../../../src/auth/credential-record.ts";
import { refuseKeys, refreshKeys } from "../../../src/auth/replace-credential-records.ts";
import type { Database } from "../../../src/db/client.ts";
import { accounts, apiKeys } from "../../../src/db/schema.ts";
import { CacheUnavailable, type Cache } from "../../../src/platform/redis/cache.ts";
import { createTestDatabase } from "../../support/database.ts";

let db: Database;
let keys = 0;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
});

async function aStoredKey(): Promise<{ hash: string; accountId: number }> {
  const hash = `hash-${++keys}`;
  const [account] = await db
    .insert(accounts)
    .values({ email: `${hash}@example.test`, plan: "pro" })
    .returning({ id: accounts.id });
  if (account === undefined) throw new Error("no account was stored");
  await db.insert(apiKeys).values({ accountId: account.id, keyHash: hash, prefix: "svc_sk_live_0", scopes: ["read"] });
  return { hash, accountId: account.id };
}

/** Redis as a map. `beforeSet` runs before each value is stored. */
function openMap(beforeSet: () => Promise<void> = async () => undefined) {
  const values = new Map<string, string>();
  const cache: Cache = {
    getMany: async (names) => names.map((name) => values.get(name) ?? null),
    set: async (name, value) => {
      await beforeSet();
      values.set(name, value);
    },
    setIfAbsent: async (name, value) => void (values.has(name) || values.set(name, value)),
    delete: async (name) => void values.delete(name),
    ping: async () => undefined,
  };
  return { cache, recordOf: (hash: string) => parseCredentialRecord(values.get(recordKey(hash)) ?? "") };
}

test("a renewed key has the current plan and state of its account", async () => {
  const { hash, accountId } = await aStoredKey();
  const { cache, recordOf } = openMap();
  await db.execute(sql`update accounts set plan = 'max', state = 'lapsed' where id = ${accountId}`);
  await refreshKeys({ db, cache }, [hash]);
  expect(recordOf(hash)).toMatchObject({
    kind: "key",
    account_id: accountId,
    plan: "max",
    state: "lapsed",
    revoked: false,
  });
});

test("a key that is revoked during its renewal is not accepted again", async () => {
  const { hash } = await aStoredKey();
  let writes = 0;
  const { cache, recordOf } = openMap(async () => {
    // The renewal has read the key and is about to write it when the key is revoked.
    if (++writes === 1) await db.execute(sql`update api_keys set revoked_at = now() where key_hash = ${hash}`);
  });
  await refreshKeys({ db, cache }, [hash]);
  expect(recordOf(hash)).toMatchObject({ kind: "key", revoked: true });
  expect(writes).toBe(2);
});

test("a refused key stays refused when an older record is filled into the cache", async () => {
  const { hash } = await aStoredKey();
  const { cache, recordOf } = openMap();
  await refuseKeys(cache, [hash]);
  await cache.setIfAbsent(recordKey(hash), JSON.stringify({ kind: "key", revoked: false }), 300);
  expect(recordOf(hash)).toEqual({ kind: "unknown" });
});

test("refusing or renewing keys fails when the cache is unavailable", async () => {
  const { cache } = openMap(() => Promise.reject(new CacheUnavailable()));
  const { hash } = await aStoredKey();
  await expect(refuseKeys(cache, [hash])).rejects.toThrow(CacheUnavailable);
  await expect(refreshKeys({ db, cache }, [hash])).rejects.toThrow(CacheUnavailable);
});
