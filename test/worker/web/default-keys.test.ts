import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { identityKey } from "../../../src/auth/identify-credential.ts";
import { hashCredential } from "../../../src/auth/api-key-format.ts";
import { KnownCredentials } from "../../../src/auth/known-credentials.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openKernel, type Kernel } from "../../support/kernel/open-kernel.ts";
import { METER_AWAY } from "../../support/api/unlimited.ts";
import { aMember, checkKey, READ_OPERATION, type Member } from "../../support/web/members.ts";
import { openSite, openTestSite, type Site } from "../../support/web/open-site.ts";

let runtime: Runtime;
let site: Site;
let api: Kernel;
let member: Member;

beforeAll(async () => {
  ({ runtime, site } = await openTestSite());
  api = openKernel(runtime, [READ_OPERATION]);
});

beforeEach(async () => {
  member = await aMember(site, runtime);
});

const create = (body: unknown = {}, headers = {}) => member.send("/api/keys", { method: "POST", body, headers });
const list = async () => (await member.send("/api/keys")).body.data;
const statusOf = async (key: string) => (await api.send("/api/v1/something", { key })).status;

describe("new default key", () => {
  test("a new default key is shown once, has its prefix and opens the API with all four scopes", async () => {
    const { status, body } = await create({ name: "  laptop " });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: "api_key",
      data: {
        id: expect.any(Number),
        name: "laptop",
        api_key: expect.stringMatching(/^svc_sk_live_[0-9a-f]{64}$/),
        prefix: body.data.api_key.slice(0, 20),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
      meta: { request_id: expect.any(String), cached: false, cost: 0 },
    });
    expect(await statusOf(body.data.api_key)).toBe(200);
    expect(await checkKey(body.data.api_key, { runtime, at: new Date() })).toEqual([
      "read",
      "webhooks",
      "export",
      "usage",
    ]);
    expect(await checkKey(body.data.api_key, { runtime, at: new Date("2099-01-01") })).toHaveLength(4);
  });

  test("a new default key leaves earlier keys valid", async () => {
    const keys = [(await create()).body.data.api_key, (await create()).body.data.api_key];
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(await statusOf(key)).toBe(200);
  });

  test("a default key is stored in no table and appears in no subsequent response", async () => {
    const { api_key: key, id } = (await create({ name: "hidden" }, { "idempotency-key": "once" })).body.data;
    await statusOf(key);
    const secret = key.slice(-64);
    const hash = await hashCredential(runtime.config.credentialKeys.current, key);
    const { rows: tables } = await runtime.db.execute(sql`select tablename from pg_tables where schemaname = 'public'`);
    expect(tables.length).toBeGreaterThan(10);
    for (const { tablename } of tables) {
      const { rows } = await runtime.db.execute(
        sql`select t::text as line from ${sql.identifier(String(tablename))} t`,
      );
      expect(rows.filter(({ line }) => String(line).includes(secret))).toEqual([]);
    }
    const subsequent = [
      await member.send("/api/keys"),
      await member.send("/api/keys/integrations"),
      await create({ name: "hidden" }, { "idempotency-key": "once" }),
      await member.send(`/api/keys/${id}`, { method: "DELETE" }),
    ];
    for (const { status, text } of subsequent) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hash);
    }
    const [identity] = await runtime.cache.getMany([identityKey(hash)]);
    expect(identity).not.toContain(secret);
  });

  test.for([
    [{ name: "" }, "name"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "two\nlines" }, "name"],
    [{ name: 1 }, "name"],
    [{ scopes: ["read"] }, "scopes"],
    [[], "body"],
  ] as const)("a default key with the body %j is refused", async ([body, param]) => {
    expectApiError(await create(body), { status: 400, code: "bad_request", reason: "invalid_body", param });
    expect(await list()).toEqual([]);
  });

  test("a default key can be created without a body", async () => {
    expect((await member.send("/api/keys", { method: "POST" })).body.data.name).toBeNull();
  });
});

describe("Idempotency-Key", () => {
  test("a repeated Idempotency-Key creates one key and shows it in the first response only", async () => {
    const first = await create({ name: "one" }, { "idempotency-key": "abc" });
    const again = await create({ name: "one" }, { "idempotency-key": "abc" });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.data).toEqual({ ...first.body.data, api_key: null });
    expect(await list()).toHaveLength(1);
  });

  test("concurrent requests with one Idempotency-Key create one key", async () => {
    const responses = await Promise.all([1, 2, 3].map(() => create({}, { "idempotency-key": "race" })));
    expect(responses.filter(({ body }) => typeof body.data?.api_key === "string")).toHaveLength(1);
    const outcomes = responses.map(({ status, body }) => `${status} ${body.error?.reason ?? ""}`.trim());
    expect(outcomes.filter((outcome) => outcome !== "201" && outcome !== "409 idempotency_in_progress")).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  test("an Idempotency-Key repeated with another body is refused", async () => {
    await create({ name: "one" }, { "idempotency-key": "xyz" });
    const response = await create({ name: "two" }, { "idempotency-key": "xyz" });
    expectApiError(response, { status: 422, code: "bad_request", reason: null, param: "Idempotency-Key" });
    expect(await list()).toHaveLength(1);
  });

  test("an Idempotency-Key of one member does not affect another member", async () => {
    await create({}, { "idempotency-key": "shared" });
    const other = await aMember(site, runtime);
    const response = await other.send("/api/keys", {
      method: "POST",
      body: {},
      headers: { "idempotency-key": "shared" },
    });
    expect(response.body.data.api_key).toMatch(/^svc_sk_live_/);
  });
});

describe("key list", () => {
  test("the key list has the member's default keys, revoked ones included, newest first", async () => {
    const one = (await create({ name: "one" })).body.data;
    const two = (await create()).body.data;
    await member.send("/api/keys/integrations", { method: "POST", body: { name: "robot", scopes: ["read"] } });
    await (await aMember(site, runtime)).send("/api/keys", { method: "POST" });
    const revoked = (await member.send(`/api/keys/${one.id}`, { method: "DELETE" })).body.data;
    expect((await member.send("/api/keys")).body).toEqual({
      object: "list",
      data: [
        {
          id: two.id,
          name: null,
          prefix: two.prefix,
          created_at: two.created_at,
          last_used_at: null,
          revoked_at: null,
        },
        {
          id: one.id,
          name: "one",
          prefix: one.prefix,
          created_at: one.created_at,
          last_used_at: null,
          revoked_at: revoked.revoked_at,
        },
      ],
      meta: { request_id: expect.any(String), cached: false, cost: 0 },
    });
  });

  test("the key list shows the last use of a key from its usage records", async () => {
    const { id } = (await create()).body.data;
    await runtime.db.execute(sql`
      insert into usage_days (account_id, key_id, day, operation, requests, updated_at) values
        (${member.accountId}, ${id}, '2026-03-01', 'a', 5, '2026-03-01T10:00:00Z'),
        (${member.accountId}, ${id}, '2026-03-02', 'b', 5, '2026-03-02T11:22:33.444Z')`);
    expect((await list())[0].last_used_at).toBe("2026-03-02T11:22:33.444Z");
  });
});

describe("revoked default key", () => {
  test("a revoked key is refused by the next request although the meter had its record", async () => {
    const { id, api_key: key } = (await create()).body.data;
    const other = (await create()).body.data.api_key;
    expect(await statusOf(key)).toBe(200);
    const response = await member.send(`/api/keys/${id}`, { method: "DELETE" });
    expect(response.body).toMatchObject({ object: "api_key", data: { id, revoked_at: expect.stringMatching(/Z$/) } });
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf(other)).toBe(200);
  });

  test("a revoked key stays refused when a request that read it before the revocation reaches the meter afterwards", async () => {
    const { id, api_key: key } = (await create()).body.data;
    let reads = 0;
    const slow: Runtime = {
      ...runtime,
      credentials: new KnownCredentials(),
      meter: {
        ...runtime.meter,
        admit: (request, load) =>
          runtime.meter.admit(request, async (hash) => {
            reads += 1;
            const record = await load(hash);
            // The record still grants access; the revocation is complete before the meter gets it.
            await member.send(`/api/keys/${id}`, { method: "DELETE" });
            return record;
          }),
      },
    };
    expect((await openKernel(slow, [READ_OPERATION]).send("/api/v1/something", { key })).status).toBe(401);
    expect(reads).toBe(1);
    expect(await statusOf(key)).toBe(401);
  });

  test("a revoked key is refused by the database too", async () => {
    const { id, api_key: key } = (await create()).body.data;
    await member.send(`/api/keys/${id}`, { method: "DELETE" });
    expect(await checkKey(key, { runtime, at: new Date() })).toBe("invalid_api_key");
  });

  test("a second revocation keeps the time of the first", async () => {
    const { id } = (await create()).body.data;
    const first = await member.send(`/api/keys/${id}`, { method: "DELETE" });
    const again = await member.send(`/api/keys/${id}`, { method: "DELETE", at: new Date(Date.now() + 60_000) });
    expect(again.body.data).toEqual(first.body.data);
  });

  test("a revocation request needs no content type", async () => {
    const { id } = (await create()).body.data;
    expect((await member.send(`/api/keys/${id}`, { method: "DELETE", headers: { "content-type": null } })).status).toBe(
      200,
    );
  });
});

test("a key request without the meter revokes nothing and returns 503", async () => {
  const { id, api_key: key } = (await create()).body.data;
  expect(await statusOf(key)).toBe(200);
  const browser = openSite({ ...runtime, meter: METER_AWAY }).browser();
  for (const [name, value] of member.cookies) browser.cookies.set(name, value);
  const refusals = [
    browser.send(`/api/keys/${id}`, { method: "DELETE" }),
    browser.send("/api/keys/regenerate", { method: "POST" }),
  ];
  for (const response of await Promise.all(refusals)) {
    expectApiError(response, { status: 503, code: "rate_limit_unavailable", reason: null, param: null });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(await list()).toMatchObject([{ id, revoked_at: null }]);
  expect(await statusOf(key)).toBe(200);
  expect((await browser.send("/api/keys")).status).toBe(200);
  expect((await browser.send("/api/keys", { method: "POST" })).status).toBe(201);
});

describe.for(["/api/keys/regenerate", "/api/v1/keys/regenerate"])("POST %s", (path) => {
  test("a regeneration revokes every default key at once and creates one", async () => {
    const keys = [(await create()).body.data, (await create()).body.data, (await create()).body.data];
    await member.send(`/api/keys/${keys[0].id}`, { method: "DELETE" });
    for (const { api_key } of keys.slice(1)) expect(await statusOf(api_key)).toBe(200);
    const { status, body } = await member.send(path, { method: "POST" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "api_key",
      data: {
        id: expect.any(Number),
        prefix: body.data.api_key.slice(0, 20),
        created_at: expect.stringMatching(/Z$/),
        revoked_count: 2,
      },
    });
    expect(await statusOf(body.data.api_key)).toBe(200);
    expect(await checkKey(body.data.api_key, { runtime, at: new Date() })).toEqual([
      "read",
      "webhooks",
      "export",
      "usage",
    ]);
    for (const { api_key } of keys) expect(await statusOf(api_key)).toBe(401);
    expect((await list()).filter(({ revoked_at }: any) => revoked_at === null)).toMatchObject([{ id: body.data.id }]);
  });

  test("a regeneration leaves integrations and other members' keys valid", async () => {
    const integration = await member.send("/api/keys/integrations", {
      method: "POST",
      body: { name: "robot", scopes: ["read"] },
    });
    const other = await aMember(site, runtime);
    const foreign = (await other.send("/api/keys", { method: "POST" })).body.data.api_key;
    await member.send(path, { method: "POST" });
    expect(await statusOf(integration.body.data.api_key)).toBe(200);
    expect(await statusOf(foreign)).toBe(200);
  });

  test("a regeneration by a member without keys creates the first key", async () => {
    expect((await member.send(path, { method: "POST", body: {} })).body.data).toMatchObject({ revoked_count: 0 });
  });
});

describe("concurrent regeneration", () => {
  const regenerate = () => member.send("/api/keys/regenerate", { method: "POST" });
  const countLive = async () => (await list()).filter(({ revoked_at }: any) => revoked_at === null).length;

  test("six concurrent regenerations leave one live key and count each revocation once", async () => {
    const before = [(await create()).body.data.api_key, (await create()).body.data.api_key];
    for (const key of before) expect(await statusOf(key)).toBe(200);
    const responses = await Promise.all(Array.from({ length: 6 }, regenerate));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await countLive()).toBe(1);
    const newKeys = responses.map(({ body }) => body.data.api_key);
    const statuses = await Promise.all(newKeys.map(statusOf));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    for (const key of before) expect(await statusOf(key)).toBe(401);
    // Two earlier keys and six new ones, of which one stays live.
    expect(responses.reduce((sum, { body }) => sum + body.data.revoked_count, 0)).toBe(7);
  });

  test("a key created during a regeneration is revoked by it or by the next one", async () => {
    const responses = await Promise.all([create(), regenerate(), create(), regenerate(), create()]);
    for (const { status } of responses) expect(status).toBeLessThan(300);
    await regenerate();
    expect(await countLive()).toBe(1);
    for (const { body } of responses) expect(await statusOf(body.data.api_key)).toBe(401);
  });

  test("a key created and used after a regeneration listed the live keys is refused at once", async () => {
    const first = (await create()).body.data.api_key;
    let late = "";
    let lateStatus = 0;
    // The first refusal is sent after the live keys are listed and before any is revoked.
    const slow: Runtime = {
      ...runtime,
      meter: {
        ...runtime.meter,
        refuse: async (...args) => {
          if (late === "") {
            late = "pending";
            late = (await create()).body.data.api_key;
            lateStatus = await statusOf(late);
          }
          await runtime.meter.refuse(...args);
        },
      },
    };
    const browser = openSite(slow).browser();
    for (const [name, value] of member.cookies) browser.cookies.set(name, value);
    const response = await browser.send("/api/keys/regenerate", { method: "POST" });
    expect(lateStatus).toBe(200);
    expect(response.body.data).toMatchObject({ revoked_count: 2 });
    for (const key of [first, late]) expect(await statusOf(key)).toBe(401);
    expect(await statusOf(response.body.data.api_key)).toBe(200);
  });
});

describe("limit of live default keys", () => {
  const LIMIT = 50;
  const giveKeys = (number: number) =>
    runtime.db.execute(sql`
      insert into api_keys (account_id, key_hash, prefix, scopes)
      select ${member.accountId}::bigint, 'hash ' || ${member.accountId}::text || ' ' || i, 'svc_sk_live_', '{read}' from generate_series(1, ${number}::int) i`);

  test("the 51st default key is refused until another one is revoked", async () => {
    await giveKeys(LIMIT);
    const refused = await create({ name: "one more" });
    expectApiError(refused, { status: 409, code: "bad_request", reason: null, param: null });
    expect(refused.body.error.message).toContain("50");
    expect(await list()).toHaveLength(LIMIT);
    const [{ id }] = await list();
    await member.send(`/api/keys/${id}`, { method: "DELETE" });
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
  });

  test("concurrent requests cannot exceed 50 default keys", async () => {
    await giveKeys(LIMIT - 2);
    const responses = await Promise.all(Array.from({ length: 8 }, () => create()));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
    expect(await list()).toHaveLength(LIMIT);
  });

  test("the limit of 50 ignores revoked keys, integration keys and keys of other accounts", async () => {
    await giveKeys(LIMIT - 1);
    await member.send("/api/keys/integrations", { method: "POST", body: { name: "robot", scopes: ["read"] } });
    expect((await create()).status).toBe(201);
    expect((await (await aMember(site, runtime)).send("/api/keys", { method: "POST" })).status).toBe(201);
    expect((await member.send("/api/keys/regenerate", { method: "POST" })).body.data.revoked_count).toBe(LIMIT);
    expect((await create()).status).toBe(201);
  });
});
