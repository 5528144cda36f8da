/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { UserMeter } from "../../../durable-objects/user-meter/user-meter.ts";
import { accounts } from "../../../src/db/schema.ts";
import { hashCredential } from "../../../src/auth/api-key-format.ts";
import { parseConfig } from "../../../src/config.ts";
import type { CredentialRecord } from "../../../src/domain/accounts/credential-record.ts";
import type { Env } from "../../../src/env.ts";
import { DurableObjectMeter } from "../../../src/platform/objects/durable-object-meter.ts";
import { MeterUnavailable } from "../../../src/platform/objects/meter.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aKeyRecord } from "../../support/kernel/key-record.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { MINUTE_MS } from "../../../src/scoring/utc-calendar.ts";

const bindings = env as Env;
/** Far ahead of the machine's clock, by which the runtime fires alarms, so that no alarm fires by itself. */
const NOON = Date.parse("2032-02-10T12:00:00Z");
const HASH = "a".repeat(64);
const OTHER = "b".repeat(64);

const meter = new DurableObjectMeter(bindings.USER_METER);
let accountId: number;
let nextAccountId = 9_000;
let object: DurableObjectStub<UserMeter>;
/** Postgres: the record of each hash, and how often records were read. */
let stored: Map<string, CredentialRecord>;
let reads: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  accountId = nextAccountId += 30;
  object = bindings.USER_METER.get(bindings.USER_METER.idFromName(String(accountId)));
  stored = new Map([HASH, OTHER].map((hash) => [hash, aRecord()] as const));
  reads = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const aRecord = (facts: Parameters<typeof aKeyRecord>[1] = {}) => aKeyRecord(accountId, facts);

const load = async (hash: string): Promise<CredentialRecord> => {
  reads += 1;
  return stored.get(hash) ?? { kind: "unknown" };
};

const requestOf = (hash: string) => ({
  credential: { hash, accountId },
  requirement: { scope: "read", plan: "pro" } as const,
  operation: "getTrader",
  budget: "primary" as const,
  batchUnits: null,
});

/** "granted", or the reason of the refusal. */
async function outcomeOf(hash = HASH, read = load): Promise<string> {
  const admission = await meter.admit(requestOf(hash), read);
  return admission.kind === "granted" ? "granted" : admission.reason;
}

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("record", () => {
  test("one call answers the principal and the verdict, and Postgres is read for the first one only", async () => {
    for (let sent = 1; sent <= 3; sent++) {
      expect(await meter.admit(requestOf(HASH), load)).toMatchObject({
        kind: "granted",
        principal: { accountId, keyId: 11, plan: "pro", scopes: ["read"] },
        verdict: { refusedBy: null, window: { remaining: 100 - sent }, accounting: "persisted" },
      });
      await evictDurableObject(object);
    }
    expect(reads).toBe(1);
  });

  test.for([
    [false, 250_000],
    [true, 1_000_000],
  ] as const)("with pay-as-you-go %s the month has %i requests", async ([pay_as_you_go, limit]) => {
    stored.set(HASH, aRecord({ pay_as_you_go }));
    expect(await meter.admit(requestOf(HASH), load)).toMatchObject({ verdict: { quota: { limit, used: 1 } } });
  });

  test("a refused credential spends nothing, and authorize spends nothing either", async () => {
    stored.set(OTHER, aRecord({ scopes: [] }));
    expect(await outcomeOf(OTHER)).toBe("insufficient_scope");
    expect(await meter.authorize(requestOf(HASH), load)).toMatchObject({ kind: "granted" });
    expect(await meter.admit(requestOf(HASH), load)).toMatchObject({ verdict: { window: { remaining: 99 } } });
  });

  test("an expired key is refused by the clock, without a read", async () => {
    stored.set(HASH, aRecord({ expires_ms: NOON + 1_000 }));
    expect(await outcomeOf()).toBe("granted");
    advance(1_000);
    expect([await outcomeOf(), reads]).toEqual(["invalid_api_key", 1]);
  });

  test("a credential without a row is refused, and read again after 30 seconds", async () => {
    stored.delete(HASH);
    expect([await outcomeOf(), await outcomeOf(), reads]).toEqual(["invalid_api_key", "invalid_api_key", 1]);
    stored.set(HASH, aRecord());
    advance(30_000);
    expect(await outcomeOf()).toBe("granted");
  });

  test("a record that is ten minutes old is read again before it admits", async () => {
    expect(await outcomeOf()).toBe("granted");
    stored.set(HASH, aRecord({ revoked: true }));
    advance(10 * MINUTE_MS - 1);
    expect([await outcomeOf(), reads]).toEqual(["granted", 1]);
    advance(1);
    expect([await outcomeOf(), reads]).toEqual(["invalid_api_key", 2]);
  });

  test("the credential of another account is never admitted", async () => {
    stored.set(HASH, aRecord({ account_id: accountId + 1 }));
    await expect(outcomeOf()).rejects.toBeInstanceOf(MeterUnavailable);
  });

  test("a meter that lost its state reads Postgres before it admits", async () => {
    expect(await outcomeOf()).toBe("granted");
    await runInDurableObject(object, (_instance, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    stored.set(HASH, aRecord({ revoked: true }));
    expect([await outcomeOf(), reads]).toEqual(["invalid_api_key", 2]);
    const away = () => Promise.reject(new Error("Postgres is away"));
    await expect(outcomeOf(OTHER, away)).rejects.toThrow("Postgres is away");
  });
});

describe("refusal", () => {
  test("a refused key is refused at once, before Postgres says so, also after an eviction", async () => {
    expect(await outcomeOf()).toBe("granted");
    await meter.refuse(accountId, [HASH]);
    expect(await outcomeOf()).toBe("invalid_api_key");
    await evictDurableObject(object);
    expect([await outcomeOf(), await outcomeOf(OTHER)]).toEqual(["invalid_api_key", "granted"]);
  });

  test("a key that was never presented is refused all the same", async () => {
    await meter.refuse(accountId, [HASH]);
    expect([await outcomeOf(), reads]).toEqual(["invalid_api_key", 0]);
  });

  test("a record that was read before the refusal is not accepted after it", async () => {
    const slow = async (hash: string) => {
      const record = await load(hash);
      await meter.refuse(accountId, [HASH]);
      return record;
    };
    expect(await outcomeOf(HASH, slow)).toBe("invalid_api_key");
  });

  test("a refusal that Postgres has not confirmed in five minutes ends; a confirmed one does not", async () => {
    await meter.refuse(accountId, [HASH, OTHER]);
    stored.set(OTHER, aRecord({ revoked: true }));
    advance(5 * MINUTE_MS - 1);
    expect([await outcomeOf(HASH), await outcomeOf(OTHER), reads]).toEqual(["invalid_api_key", "invalid_api_key", 0]);
    advance(1);
    expect([await outcomeOf(HASH), await outcomeOf(OTHER)]).toEqual(["granted", "invalid_api_key"]);
    // A database that was restored to an earlier moment does not revive the key.
    stored.set(OTHER, aRecord());
    await meter.refuse(accountId, [OTHER]);
    await meter.forget(accountId);
    advance(60 * MINUTE_MS);
    expect(await outcomeOf(OTHER)).toBe("invalid_api_key");
  });
});

describe("flush after a refusal", () => {
  /** Runs the alarm with this database. */
  const flushWith = (databaseUrl: string) =>
    runInDurableObject(object, async (instance, { storage }) => {
      vi.setSystemTime((await storage.getAlarm()) ?? 0);
      await storage.deleteAlarm();
      Reflect.set(instance, "env", { ...bindings, DATABASE_URL: databaseUrl });
      await instance.alarm();
    });

  test("a revocation that Postgres has is remembered, also for a key that is never presented again", async () => {
    const { databaseUrl, db } = await createTestDatabase();
    const key = await aKey(db);
    const [account] = await db.select({ id: accounts.id }).from(accounts);
    accountId = account?.id ?? 0;
    object = bindings.USER_METER.get(bindings.USER_METER.idFromName(String(accountId)));
    stored.set(OTHER, aRecord());
    const hash = await hashCredential(parseConfig(bindings).credentialKeys.current, key);
    await meter.refuse(accountId, [hash, OTHER]);
    await db.execute(sql`update api_keys set revoked_at = now() where key_hash = ${hash}`);
    await flushWith(databaseUrl);
    expect(Date.now()).toBe(NOON + 2_000);
    // The other one is not confirmed yet, so the meter looks once more.
    expect(await runInDurableObject(object, (_instance, { storage }) => storage.getAlarm())).toBe(NOON + MINUTE_MS);
    // A database that was restored to an earlier moment has both keys live.
    stored.set(hash, aRecord());
    advance(5 * MINUTE_MS);
    expect([await outcomeOf(hash), await outcomeOf(OTHER)]).toEqual(["invalid_api_key", "granted"]);
  });
});

describe("change of the account", () => {
  test("a change is in force from its write on, whatever was read before", async () => {
    expect(await outcomeOf()).toBe("granted");
    await meter.forget(accountId);
    expect(await outcomeOf()).toBe("granted");
    stored.set(HASH, aRecord({ state: "locked" }));
    expect([await outcomeOf(), reads]).toEqual(["account_locked", 3]);
  });

  test("a request that read the account before the change is decided on the state after it", async () => {
    const slow = async (hash: string) => {
      const record = await load(hash);
      stored.set(HASH, aRecord({ plan: "free" }));
      await meter.forget(accountId);
      return record;
    };
    const once = (hash: string) => (reads === 0 ? slow(hash) : load(hash));
    expect([await outcomeOf(HASH, once), reads]).toEqual(["subscription_inactive", 2]);
  });

  test("an account that changes during every read is not admitted", async () => {
    const changing = async (hash: string) => {
      await meter.forget(accountId);
      return load(hash);
    };
    await expect(outcomeOf(HASH, changing)).rejects.toBeInstanceOf(MeterUnavailable);
  });

  test("a minute after a change records are stored again", async () => {
    await meter.forget(accountId);
    await outcomeOf();
    await outcomeOf();
    expect(reads).toBe(2);
    advance(MINUTE_MS);
    await outcomeOf();
    await outcomeOf();
    expect(reads).toBe(3);
  });
});
