import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineOperation } from "../../../../src/api/operation.ts";
import { QUOTA_FREE_OPERATIONS } from "../../../../src/domain/accounts/monthly-quota.ts";
import { ACCOUNT_OPERATIONS } from "../../../../src/operations/account/index.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aKey, type KeyFacts } from "../../../support/kernel/keys.ts";
import { openKernel, openLimitedRuntime, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { PLAIN_OPERATION } from "../../../support/kernel/plain-operation.ts";

const seconds = (iso: string) => Date.parse(iso) / 1000;

/** An operation that spends the primary budgets. */
const priced = defineOperation({
  ...PLAIN_OPERATION,
  kind: "single",
  id: "priced",
  path: "/api/v1/priced",
  access: "key",
  object: "nothing",
  data: z.object({}),
  handle: async () => ({ data: {} }),
});

let database: TestDatabase;
let kernel: Kernel;

beforeEach(async () => {
  // Far ahead of the machine's clock, by which the runtime fires the meters' alarms, so that none fires.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2032-02-10T12:00:00Z") });
  database = await createTestDatabase();
  const { meter } = openLimitedRuntime(database.databaseUrl);
  kernel = openKernel({ ...openTestRuntime(database.databaseUrl), meter }, [...ACCOUNT_OPERATIONS, priced]);
});

afterEach(() => {
  vi.useRealTimers();
});

const keyOf = (facts: Partial<KeyFacts> = {}) => aKey(database.db, facts);
const usageOf = async (key: string) => (await kernel.send("/api/v1/usage", { key })).body.data;

describe("usage", () => {
  test("the usage counts the priced requests of the minute, day and month, without usage and identity reads", async () => {
    const key = await keyOf();
    for (let sent = 0; sent < 3; sent++) await kernel.send("/api/v1/priced", { key });
    vi.setSystemTime(Date.parse("2032-02-10T12:00:40.500Z"));
    for (const path of ["/api/v1/usage", "/api/v1/me", "/api/v1/usage"]) await kernel.send(path, { key });
    expect(await kernel.send("/api/v1/usage", { key })).toMatchObject({
      status: 200,
      body: {
        object: "usage",
        data: {
          rate_limit: {
            used: 3,
            limit: 100,
            remaining: 97,
            reset_at: seconds("2032-02-10T12:01:00Z"),
            window_seconds: 60,
          },
          daily_usage: {
            used: 3,
            limit: null,
            remaining: null,
            reset_at: seconds("2032-02-11T00:00:00Z"),
            window_seconds: 86_400,
          },
          monthly_quota: {
            used: 3,
            limit: 250_000,
            remaining: 249_997,
            reset_at: seconds("2032-03-01T00:00:00Z"),
            enforced_from: seconds("2032-02-01T00:00:00Z"),
            binding: true,
            pay_as_you_go: false,
            ceiling: 250_000,
          },
        },
        meta: { cost: 0 },
      },
    });
  });

  test("the usage reports the ceiling of pay-as-you-go beyond the included requests", async () => {
    const key = await keyOf();
    await database.db.execute(sql`update accounts set pay_as_you_go = true`);
    expect((await usageOf(key)).monthly_quota).toMatchObject({
      limit: 250_000,
      remaining: 250_000,
      pay_as_you_go: true,
      ceiling: 1_000_000,
    });
  });

  test("usage and identity reads share a budget of 100 a minute apart from priced requests", async () => {
    const key = await keyOf();
    for (let sent = 0; sent < 50; sent++) {
      expect((await kernel.send("/api/v1/usage", { key })).status).toBe(200);
      expect((await kernel.send("/api/v1/me", { key })).status).toBe(200);
    }
    expect((await kernel.send("/api/v1/usage", { key })).status).toBe(429);
    expect((await kernel.send("/api/v1/me", { key })).status).toBe(429);
    expect((await kernel.send("/api/v1/priced", { key })).status).toBe(200);
  });

  test("the usage can be read when the minute's priced requests are used up", async () => {
    const key = await keyOf();
    for (let sent = 0; sent < 101; sent++) await kernel.send("/api/v1/priced", { key });
    expect((await usageOf(key)).rate_limit).toMatchObject({ used: 100, remaining: 0 });
  });

  test("the usage needs the usage scope and no subscription", async () => {
    expect(
      (await kernel.send("/api/v1/usage", { key: await keyOf({ scopes: ["read", "webhooks", "export"] }) })).status,
    ).toBe(403);
    expect((await kernel.send("/api/v1/usage", { key: await keyOf({ state: "lapsed" }) })).status).toBe(200);
    expect((await kernel.send("/api/v1/usage", { key: await keyOf({ plan: "free" }) })).status).toBe(200);
  });
});

describe("identity", () => {
  const identityOf = async (facts: Partial<KeyFacts> = {}) => {
    const { status, body } = await kernel.send("/api/v1/me", { key: await keyOf(facts) });
    expect({ status, object: body.object }).toEqual({ status: 200, object: "account" });
    return body.data;
  };

  test("the identity names the account and the unrestricted credential", async () => {
    // One more account, so that the ids of accounts and keys differ.
    await keyOf();
    await database.db.execute(sql`insert into accounts (email, plan) values ('keyless@example.test', 'pro')`);
    expect(await identityOf()).toEqual({
      user_id: 3,
      credential_id: 2,
      credential_kind: "api_key",
      credential_status: "active",
      entitlement: { paid_data_access: "active", recovery_action: null },
      scopes: null,
    });
  });

  test("the identity lists the scopes of a restricted credential", async () => {
    expect((await identityOf({ scopes: ["read", "usage"] })).scopes).toEqual(["read", "usage"]);
  });

  test.each<Partial<KeyFacts>>([{ state: "lapsed" }, { plan: "free" }])(
    "the identity of an account with %j reports lapsed paid data access",
    async (facts) => {
      expect((await identityOf(facts)).entitlement).toEqual({
        paid_data_access: "lapsed",
        recovery_action: "renew_subscription",
      });
    },
  );

  test("the identity needs the read scope", async () => {
    expect((await kernel.send("/api/v1/me", { key: await keyOf({ scopes: ["usage"] }) })).status).toBe(403);
  });
});

test("the operations with cost 0 are those that the quota sum ignores", () => {
  expect(ACCOUNT_OPERATIONS.filter(({ cost }) => cost === 0).map(({ id }) => id)).toEqual(QUOTA_FREE_OPERATIONS);
});
